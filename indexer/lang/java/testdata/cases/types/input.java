package com.shop.order;

/**
 * A sealed class: Order has the base Base&lt;T&gt; and two interfaces. Its
 * permitted subclasses are type references.
 */
@Entity(name = "orders")
public sealed abstract class Order<T extends Item & Comparable<T>> extends Base<T>
    implements Serializable, Audit.Log permits Order.Paid, Open {

  /** A nested static class, container Order. */
  static final class Paid extends Order<Book> {}

  /** An inner class of an inner class: container Deep is Inner, of its field Deep. */
  private class Inner {
    class Deep {
      int level;
    }
  }

  // An enum with constants that have bodies; price() of CHEAP belongs to CHEAP,
  // and the abstract one to Size. The constructor of an enum is private.
  public enum Size implements Priced {
    /** Small. */
    CHEAP(1) {
      @Override
      public int price() {
        return 1;
      }
    },
    @Deprecated
    DEAR(2) {
      public int price() { return 2; }
    };

    private final int factor;

    Size(int factor) {
      this.factor = factor;
    }

    public abstract int price();
  }
}

// A record: its components are public fields, Point has a compact constructor
// and one more, and implements Shape.
record Point<N>(int x, @Nonnull List<N> names) implements Shape {
  static final Point<String> ORIGIN = new Point<>(0, List.of());

  Point {
    check(x);
  }

  Point(int x) {
    this(x, List.of());
  }
}

// Members of an interface are public unless they say otherwise; K is a constant.
public non-sealed interface Store<K> extends Closeable, Iterable<K> {
  int LIMIT = 10;

  K get(String id);

  default K first() { return get("1"); }

  static <T> Store<T> empty() { return null; }

  private void hidden() {}

  enum Mode { READ, WRITE }
}

/** An annotation type: its elements are methods without a body. */
@Target({ElementType.METHOD, ElementType.FIELD})
@interface Timed {
  String value() default "none";

  Class<? extends Clock>[] clocks();

  int MAX = 3;
}
