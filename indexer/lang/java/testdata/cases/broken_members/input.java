package broken;

/** Several damaged members in one class cost themselves only. */
public class Many {
  private int one = ;

  public void first() {}

  public void second( {
    call();
  }

  public int third() { return 3; }

  value class Preview {}

  @Override
  public String fourth() {
    return "x;
  }

  private final String fifth = "5";

  enum State { ON, OFF }

  public void sixth() { foo(; }

  protected void seventh(int a, List<String> b) throws IOException {
  }
}
