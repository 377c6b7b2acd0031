/*
 * Copyright 2020 Somebody. Licensed under something.
 */
package doc;

/**
 * Reads {@code a < b} and {@link Other#call(int) the call}, also
 * <b>bold &amp; brave</b> things, e.g. {@linkplain Some#thing}. A second sentence.
 *
 * @author nobody
 */
class Doc {
  /** One line without a full stop */
  int a;

  // A plain comment is no documentation.
  int b;

  /**
   * The paragraph ends<p>here and not later.
   */
  void paragraphs() {}

  /** Gone. @deprecated is no tag here. */
  void alive() {}

  /**
   * Gone indeed.
   *
   * @deprecated use {@link #alive()}
   */
  void gone() {}

  /** {@inheritDoc} */
  void inherited() {}

  /// Markdown documentation of two
  /// lines. And more.
  void markdown() {}

  /** Above annotations. */
  @Override
  // between
  public void annotated() {}

  /**/
  void empty() {}

  /** Belongs to the field above only. */
  int used;

  int unused;
}
