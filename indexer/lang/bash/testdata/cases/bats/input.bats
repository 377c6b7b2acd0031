#!/usr/bin/env bats
# The tests of bats are definitions under their titles.
load test_helper
setup() { WORK=$(mktemp -d); }

# Adds numbers.
@test "addition with \"quotes\" { and brace" {
  run add 1 2
  [ "$status" -eq 0 ]
}

@test 'single quotes' {
  helper
}
helper() { :; }
