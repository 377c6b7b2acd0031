// Namespaces; an unnamed one hides what it holds; extern "C" is transparent.
namespace outer::inner {
int visible;
namespace {
int hidden() { return 1; }
struct Secret { int x; };
}  // namespace
inline namespace v1 { void versioned(); }
}  // namespace outer::inner
namespace alias = outer::inner;
extern "C" {
int c_function(void) { return outer::inner::visible; }
}
extern "C" int other_c(void);
using namespace std;
// 名前 😀
void outer::inner::versioned() { c_function(); }
