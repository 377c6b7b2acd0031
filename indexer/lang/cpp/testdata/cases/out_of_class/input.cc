// Methods defined outside of their class have it as their container.
#include "foo.h"
int Foo::count = 0;
Foo::Foo(int a) : Base(a), a_(a), list_{1, 2} { init(); }
Foo::~Foo() { release(a_); }
int ns::Foo::run(const std::string& name) const {
  auto worker = std::make_unique<Worker>(name);
  worker->start(a_);
  Task task(1);
  task.go();
  Foo* other = new Foo(3);
  other->run(name);
  for (const auto& item : list_) use(item);
  auto twice = [this](int n) { return step(n) * 2; };
  try { risky(); } catch (const Error& e) { report(e.what()); }
  return static_cast<int>(ns::helper<int>(4)) + twice(2);
}
Foo::operator bool() const { return true; }
template <typename T> void Box<T>::put(T value) { store(value); }
Foo::Inner* Foo::make() { return nullptr; }
static int local_helper() { return 1; }
int main(int argc, char** argv) { return Foo(argc).run(argv[0]); }
