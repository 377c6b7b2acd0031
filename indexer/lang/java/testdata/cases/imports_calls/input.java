package calls;

import java.util.List;
import java.util.concurrent.*;
import static java.util.Collections.emptyList;
import static org.junit.Assert.*;

class Calls extends Base {
  private final Store store;
  Calls other;

  Calls(Store store) {
    // Calls the constructor of Base, then one of its own methods.
    super(store);
    this.store = store;
    init();
  }

  void run(Item item, List<Item> items) {
    store.save(item);             // save of store, a field
    this.store.save(item);        // save of this.store
    item.price().round(2);        // price of item, round of item.price()
    Util.log("x");                // log of the type Util
    java.util.Objects.hash(item); // hash of a type with its full name
    LOG.info("x");                // LOG is a constant, no type
    super.run(item);
    Calls.this.other.run(null, null);
    Calls.super.toString();
    other.<String>generic(1);
    Item made = new Item(item.id);
    var list = new java.util.ArrayList<Item>();
    Outer.Inner inner = outer.new Inner();
    items.forEach(this::check);
    items.stream().map(Item::name).map(Wrapper::new).toArray(Item[]::new);
    int check = 1;
    check(check);                 // a local variable hides no method
    for (var each : items) each.drop();
    for (Item each : items) each.keep();
    try (Reader in = open(); other) {
      in.read();
    } catch (IOException | RuntimeException e) {
      e.printStackTrace();
    }
    Object o = (Item) find(made);
    if (o instanceof Item found && found.valid()) found.use();
    Class<?> type = Item.class;
    run(x -> x.go(), (y, z) -> y.join(z), (String s) -> s.trim(), () -> done());
    String text = "a" + made.name(), more = cond ? text : null;
    items[0].touch();
  }
}
