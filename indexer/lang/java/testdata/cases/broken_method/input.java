package broken;

// The method in the middle lacks its brace: it costs itself at most.
public class Broken {
  private int kept;

  /** Before the damage. */
  public void before() {}

  public void unclosed(int x) {
    if (x > 1) {
      call();

  /** After the damage, still a method of Broken. */
  public int after() { return 1; }

  static class Inner {
    void deep() {}
  }

  private void last() {}
}
