// Constructs that are newer than the grammar or unknown to it cost nothing.
package newer;

import module java.base;

class Newer extends Base {
  // Statements before super(...).
  Newer(int x) {
    if (x < 0) throw new IllegalArgumentException();
    super(x);
    after();
  }

  Newer() {
    int x = 1;
    this(x);
  }

  int labels(Object o) {
    return switch (o) {
      // Two patterns in one label, with unnamed variables.
      case Circle _, Square _ -> 1;
      case Box(Circle(var r), _) when r > 1 -> 2;
      case Integer i when i > 0 -> i;
      case null, default -> 3;
    };
  }

  // An annotation before the dots.
  void annotated(String @Nullable ... names) {}

  void unnamed(List<String> list) {
    for (var _ : list) count();
    list.forEach(_ -> count());
  }

  // The name of a field with a Unicode escape.
  int \u0061b\u0063\u0064 = 1;

  // Contextual keywords as names.
  int record, sealed, permits, when;
  Record record() { return with(record); }
  void yield() { this.yield(); }

  void last() {}
}
