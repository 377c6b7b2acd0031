// Constructs of C++20 and later: each costs at most itself.
module;
export module shop.cart;
import std;
export namespace shop { class Cart { public: int total(this auto& self); }; }
template <class T> concept Small = requires(T a) { a.size(); };
template <Small T> requires (sizeof(T) > 1) auto pick(T a) -> T { return a; }
auto operator<=>(const A& a, const B& b) = default;
consteval int square(int x) { return x * x; }
[[nodiscard]] constexpr auto cube(int x) noexcept -> int { return x * square(x); }
task<int> fetch() { co_return co_await get(); }
enum class Level : char { low, high };
inline namespace v2 { int deep(); }
int last() { return 0; }
