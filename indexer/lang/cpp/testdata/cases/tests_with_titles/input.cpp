// Tests whose titles are strings have these for names.
#include <catch2/catch_test_macros.hpp>
TEST_CASE( "vectors can be resized", "[vector]" ) {
  std::vector<int> v( 5 );
  SECTION( "bigger" ) { v.resize( 10 ); }
}
SCENARIO("titles with \"quotes\"") { GIVEN("one") { use(one()); } }
TEST_CASE_METHOD(Fixture, "with a fixture", "[tag]")
{
  REQUIRE(value == 42);
}
int helper(int x) { return x; }
