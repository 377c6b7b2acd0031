// Members with their access; nested types; friends; special members.
class Box : public Base, virtual protected ns::Mixin {
  int hidden_; // private by default
 public:
  // Makes a box. Then more.
  explicit Box(int size, const char* name = "x");
  Box(const Box&) = delete;
  ~Box() override = default;
  Box& operator=(const Box& other);
  bool operator==(const Box& other) const { return size_ == other.size_; }
  operator bool() const { return size_ > 0; }
  virtual void pure() = 0;
  static int count;
  static constexpr int kMax = 3;
  enum class Mode : int { Fast, Slow };
  struct Inner { int z; };
  using Ptr = Box*;
  friend class Keeper;
  friend void swap(Box& a, Box& b) { a.swap(b); }
 protected:
  void grow();
 private:
  int size_ = 0, *data_{nullptr};
  void (*callback_)(int);
};
struct Open { int visible; private: int secret; };
union Either { int a; float b; };
