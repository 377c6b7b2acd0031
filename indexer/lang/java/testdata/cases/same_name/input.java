package same;

// Every definition stands exactly once with its own lines: a class, its
// constructor, a method, a field and a nested class, all of one name.
class Same {
  int Same;

  Same() {}

  Same(int x) {}

  void Same() {
    Same();
    new Same();
  }

  void Same(String x) {}

  static class Nested {
    void Same() {}
  }
}
