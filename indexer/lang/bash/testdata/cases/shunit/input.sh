#!/bin/sh
# A test by its content: it asserts, and its functions are named so.
testAddition() { assertEquals 3 "$(add 1 2)"; }
oneTimeSetUp() { . ./add.sh; }
. shunit2
