/** What the file is about. More of it. */
package doc

// Scaladoc right before a definition or its annotations is its documentation; that
// behind code or before a blank line and a comment is not lost; tags are skipped.

/** Does '''bold''' work for [[scala.Option the option]], e.g. here. Second sentence.
 *  @param x not this
 */
@inline
def first(x: Int) = x

/**
 * == Title ==
 * {{{ code }}}
 */
class Second {
  val a = 1 /** behind code */
  def undocumented = 2
  /** @return no description */
  def tagged = 3
}
