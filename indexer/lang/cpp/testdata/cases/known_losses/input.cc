// What the grammar lacks costs one definition at most. Lost: an explicit
// instantiation of a function and what macros generate. Pointers to members are
// kept, without their class.
struct Matcher {
  const FieldType Class::*field_;
  int kept;
};
template <typename C> Result<int (C::*)() const> property(int (C::*p)() const) { return make(p); }
template API void buffer<char>::append(const char*);
GENERATE_FUNCTION(generated, int);
enum : unsigned { kBit = 1 };
int after() { return 0; }
