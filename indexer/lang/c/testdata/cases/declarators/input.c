// Declarators that the grammar reads as something else.
clock_type (*read_clock)(void) = NULL;
API_EXPORT void (*release)(void *block) API_COMMON;
API int (open_base) (State *state);
extern TLS_TYPE(bool) initialised;
EXPORT int NOTHROW
ATTR(nonnull(1))
align_block(void **block, size_t size) {
  return fill(block, size);
}
size_t print_to(char *text, const char *format, ...)
    FORMAT_PRINTF(2, 3);
static const Event
    Started = { 1, 2 },
    __attribute__ ((deprecated))
    Stopped = { 3, 4 },
    Paused = { 5, 6 };
CASE_BEGIN(first_case) {
  int local = 0;
  check(local);
}
CASE_END
int last(void) { return read_clock(); }
