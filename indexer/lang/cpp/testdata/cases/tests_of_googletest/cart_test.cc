// Test cases are functions named by their macro; the file is a test.
#include <gtest/gtest.h>
TEST(CartTest, StartsEmpty) {
  Cart cart;
  EXPECT_EQ(cart.total(), 0);
}
TEST_F(CartFixture, Adds) { add(1); }
