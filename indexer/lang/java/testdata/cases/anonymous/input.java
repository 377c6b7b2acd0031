package anonymous;

class Host {
  // compare has the field as its parent and is no part of a body.
  private static final Comparator<Item> BY_NAME = new Comparator<Item>() {
    int calls;

    @Override
    public int compare(Item x, Item y) {
      return x.name().compareTo(y.name());
    }
  };

  // apply stands in the body of a lambda.
  Supplier<Runnable> later = () -> new Runnable() {
    public void run() {}
  };

  void start() {
    // run and Local with its member stand in the body of start.
    executor.submit(new Runnable() {
      @Override
      public void run() {
        work();
      }
    });
    class Local {
      int value;
    }
    record Pair(int left, int right) {}
    new Local().value = 1;
  }

  // After the anonymous classes: a member of Host again.
  public void after() {}
}
