package tests;

import org.junit.jupiter.api.Test;

// The file is a test: its content says so.
class QueueChecks {
  @Test
  void putsAndTakes() {
    assertEquals(1, new Queue().size());
  }

  @org.junit.jupiter.params.ParameterizedTest(name = "x")
  @ValueSource(ints = {1, 2})
  void many(int n) {}
}
