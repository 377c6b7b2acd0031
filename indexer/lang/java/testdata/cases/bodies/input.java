package bodies;

class Bodies<T> {
  // T is a type parameter and so no reference, nor is the local x.
  T of(T in, Map<String, ? super Item> map) {
    int x = 0;
    label:
    while (x < 10) {
      x++;
      if (x == 3) continue label;
      else if (x == 4) break label;
      else stop();
    }
    do { x--; } while (more(x));
    switch (x) {
      case ONE:
      case Limits.TWO:
        int y = two();
        break;
      default:
        throw new IllegalStateException("no " + x);
    }
    int z = switch (kind) {
      case A, B -> 1;
      case C -> { yield calc(x); }
      default -> 2;
    };
    synchronized (lock) { assert x > 0 : message(); }
    String text = """
        class Fake { void no() {} }
        """;
    int[] numbers = new int[size()], more = {one(), 2};
    numbers[index()] += 3;
    Runnable r = () -> {
      int inner = 1;
      use(inner);
    };
    return (T) in;
  }
}
