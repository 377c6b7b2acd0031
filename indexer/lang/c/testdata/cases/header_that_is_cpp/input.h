// A header of C++ under the name of C: read with the grammar of C++.
#pragma once
#include <string>
namespace shop {

// Cart holds items.
class EXPORT_API Cart : public Base {
 public:
  explicit Cart(int size) : size_(size) {}
  virtual ~Cart() = default;
  SHOP_API int total(const std::string& name) const;

 private:
  int size_ = 0;
};

template <typename T>
T pick(T a, T b) { return a < b ? a : b; }

}  // namespace shop
