package broken;

// The second constant is damaged; the others, the field and the method stay.
public enum Level {
  /** Low. */
  LOW(1),
  MIDDLE(2,
  HIGH(3) {
    @Override
    public int weight() { return 30; }
  };

  private final int value;

  Level(int value) {
    this.value = value;
  }

  public int weight() { return value; }
}

record After(int x) {}
