// A broken member costs itself, not its class or its neighbours.
namespace a {
class Holder : public Base {
 public:
  int first() { return 1; }
  int broken(@@ int x) { return 2; }
  int second() { return third(); }
 private:
  int field_;
};
void unclosed() {
  if (x) {
    call();
}
void next() { other(); }
}
int outside() { return 0; }
