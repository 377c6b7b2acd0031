package members;

public class Members {
  /** The annotation is no part of the signature; the definition starts at its first modifier. */
  @Deprecated
  @SuppressWarnings({"a", "b"})
  public static final int LIMIT = 10, MORE[] = {1, 2};

  // Three fields of one declaration.
  private int a = 1, b,
      c = compute();
  protected volatile Map<String, List<Integer>> index = new HashMap<>();
  String name; // visible in the package: protected

  static {
    registry = load();
  }

  {
    counter = next();
  }

  protected <U extends Number> Members(U seed, String... names) throws IOException {
    super(seed);
    this.a = seed.intValue();
  }

  /** Overloads stand once each. */
  void put(int x) {}

  void put(String x) {}

  void put(final @Nullable String x, /* a comment */ int... rest) {}

  public abstract <T> T[] all(Class<T> type, int[] ids[]) throws A, B.C;

  private synchronized native int old()[];

  // The receiver is no parameter.
  void receiver(Members this, int x) {}
}
