// Operators and constructors defined out of their class, with macros before them.
namespace alias = outer::inner;
template <typename T> struct Result { Result(int code) noexcept; operator bool() const; };
struct Element { operator bool() const; operator std::string() const; bool operator==(const Element &) const; };
inline Element::operator bool() const { return get<bool>(); }
really_inline Element::operator std::string() const noexcept(false) { return text(); }
really_inline bool Element::operator==(const Element &other) const noexcept { return same(other); }
really_inline Result<outer::Element> Result<outer::Element>::operator*() noexcept { return *this; }
really_inline Result<outer::Element>::Result(int code) noexcept
  : Base<outer::Element>(code) {}
really_inline Result<outer::Element>::operator double() noexcept(false) { return value(); }
template <class Char, class Traits  LIBRARY_ORDER(1) >
constexpr bool operator<=(
    VIEW_OF(Char, Traits) left,
    view <Char, Traits> right ) library_noexcept
{ return left.compare(right) <= 0; }
template <typename S, typename... H>
  requires selector<S> && (sizeof...(H) == S::size()) && (handler<H> && ...)
really_flatten really_inline Result<int> Element::for_each(H &&...on_match) { return run(on_match...); }
