package broken;

// The head of the class in the middle is damaged.
class Before {
  void a() {}
}

public class Damaged extends { implements X {
  private int field;

  public void member() {
    call();
  }
}

class After {
  void b() {}
}

class Cut {
  public void c() {
    if (x) {
}

interface Last {
  void d();
}
