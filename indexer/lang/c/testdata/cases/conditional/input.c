/* Conditional compilation: each definition once, with its own lines. */
#ifndef CONDITIONAL_H
#define CONDITIONAL_H
#ifdef __cplusplus
extern "C" {
#endif

#ifdef WINDOWS
int open_file(const char *path) { return win_open(path); }
#else
int open_file(const char *path) { return posix_open(path); }
#endif

/* The heads differ, the body is shared: the first head counts. */
#if WIDE
int length(const wchar_t *s)
#else
int length(const char *s)
#endif
{
	return measure(s);
}

/* A branch inside of arguments and one that opens a brace. */
int mixed(int a
#ifdef EXTRA
	, int b
#endif
	)
{
#if A
	if (a) {
#else
	while (a) {
#endif
		step(a);
	}
	return a;
}

#if 0
int never(void) { this is no code }
#endif

static int table[] = {
	1,
#ifdef MORE
	2,
#endif
	3
};

int after(void) { return 0; }

#ifdef __cplusplus
}
#endif
#endif
