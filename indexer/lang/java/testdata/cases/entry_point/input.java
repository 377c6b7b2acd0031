package entry;

public class Main {
  // The start of a program; the other two are not.
  public static void main(String... args) {}

  static int main(String[] args) { return 0; }

  void main(int x) {}
}
