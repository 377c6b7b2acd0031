// Uses of macros without a semicolon make no definitions, and what follows keeps
// its name: no variable REGISTER_TAG, no functions METHOD_AS_CASE, catch or
// CATCH_ANY. Defined are Listener, the test "writes to stdout", run and last.
class Listener {};

REGISTER_LISTENER( Listener )

TEST_CASE( "writes to stdout" ) {
  print("x");
}

REGISTER_TAG("[@one]", "[failing]")
REGISTER_TAG("[@two]", "[tricky]")

METHOD_AS_CASE( Listener::good, "good" )
METHOD_AS_CASE( Listener::bad, "bad" )

int run() {
  try {
    return start();
  }
#if !defined(WITHOUT_EXCEPTIONS)
  catch( std::exception& problem ) {
    return fail(problem);
  }
#endif
  TRY {
    stop();
  } CATCH_ANY (Failure&) {
    ignore();
  } CATCH_ANY (Skip&) {
    ignore();
  }
  return 0;
}

int last = 1;
