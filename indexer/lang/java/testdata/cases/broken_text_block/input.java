package broken;

class Texts {
  String before = """
      public class Fake {
        public void no() {}
      }
      """;

  public String open() {
    return "never closed;
  }

  public String other() { return "closed"; }

  char quote = '"', brace = '}';

  /** Behind a quote and a brace that are characters. */
  public void last() { // a "comment" with a brace }
    /* and { another */
  }
}

// What comes here is never read: the string has no end.
class Unfinished {
  String text = """
      class Fake {}
}
