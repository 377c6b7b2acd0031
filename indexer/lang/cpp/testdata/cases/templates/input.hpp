// Templates, aliases, specialisations.
template <typename T, int N = 3>
class Array {
 public:
  template <class U> void assign(U&& value);
  T data[N];
};
template <> struct hash<Foo> { int operator()(const Foo& f) const; };
template <class T> using Vec = std::vector<T>;
template <class T> constexpr bool is_small = sizeof(T) < 8;
template <typename... Args> void log(const char* f, Args&&... args) { print(f, std::forward<Args>(args)...); }
template class Array<int>;
using std::string;
typedef Array<int, 4> Four;
