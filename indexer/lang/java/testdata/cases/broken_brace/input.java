package broken;

// A brace too many in early() and one lost behind Inner: nothing moves out of
// its type.
class Braces {
  int early(int x) {
    if (x > 1) {
      return 1; }
    }
    return 2;
  }

  public void middle() {}

  static class Inner
    private int kept;

    public void deep() {
      run();
    }
  }

  void late() {}
}

class After {}
