# Licensed to the Apache Software Foundation under the License.

/* Expected: the header is the summary; qualified names of types keep what
 * stands before the dot as qualifier. */

namespace go example.shop
namespace * shop
include "shared.thrift"
cpp_include "<map>"

typedef map<string, list<shared.Item>> Items
typedef list< double ( a = "b" ) > ( c = "d" ) Doubles (e = "f")
const i32 LIMIT = 10
const map<string, string> NAMES = {"a": "b}", 'c': "d"}

// How it stands.
enum State { OPEN = 1, PAID = 2; // Done.
  BAD }

/** An order. */
struct Order {
  1: required i64 id, // Never reused.
  2: optional Items items = {} (go.tag = "x;y"),
  3: State state = State.OPEN;
  list<Order> parts
  5: shared.Item item
} (annotated = "1")

union Either { 1: string a; 2: i32 b }
exception NotFound { 1: string why }

service Orders extends shared.Base {
  // Gets one.
  Order get(1: i64 id, 2: bool deep = true) throws (1: NotFound nf),
  oneway void ping()
  map<string, Order> all(1: list<State> states);
}
