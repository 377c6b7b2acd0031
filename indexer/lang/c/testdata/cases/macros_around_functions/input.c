/* Kinds of macros around functions: every function below keeps its own name. */
#include "items.h"
#include <stdio.h>

/* A macro that gives the return type: function get_items. */
STACK_OF(ITEM) *get_items(void)
{
	return load(0);
}

/* A macro invocation on the line above: function clear_items. */
DECLARE_HANDLER(clear)
int clear_items(int count, char *names[10])
{
	return count;
}

/* A macro without arguments on the line above: function reset_items. */
BEGIN_SECTION
static void reset_items(void) {}

/* Specifier macros before and behind the type, and after the parameters: function item_size. */
LIB_API FORCE_INLINE size_t LIB_CALL item_size(const ITEM *item UNUSED) ATTR_PURE
{
	return sizeof(*item);
}

/* The old style of parameters: function old_style with a and b typed. */
int old_style(a, b)
	int a;
	char *b;
{
	return count_of(b) + a;
}

/* Attributes of the compiler: prototype log_line, then function noreturn_die. */
extern int log_line(const char *format, ...) __attribute__((format(printf, 1, 2)));
__attribute__((noreturn)) void noreturn_die(void) { abort(); }

/* A function that gives a function pointer, and a variable that is one. */
int (*pick(int n))(char) { return 0; }
static int (*handler)(int code);
