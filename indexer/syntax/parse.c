#include "parse.h"

#include <setjmp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#ifdef _WIN32
#include <windows.h>
#else
#include <pthread.h>
#endif

typedef struct TSLanguage TSLanguage;
typedef struct TSParser TSParser;
typedef struct TSTree TSTree;
typedef struct {
  uint32_t context[4];
  const void *id;
  const TSTree *tree;
} TSNode;
typedef struct {
  const void *tree;
  const void *id;
  uint32_t context[3];
} TSTreeCursor;
typedef struct {
  uint32_t row, column;
} TSPoint;
typedef enum { TSInputEncodingUTF8, TSInputEncodingUTF16 } TSInputEncoding;
typedef struct {
  void *payload;
  const char *(*read)(void *, uint32_t, TSPoint, uint32_t *);
  TSInputEncoding encoding;
} TSInput;

extern TSParser *ts_parser_new(void);
extern void ts_parser_delete(TSParser *);
extern bool ts_parser_set_language(TSParser *, const TSLanguage *);
extern void ts_parser_set_cancellation_flag(TSParser *, const size_t *);
extern TSTree *ts_parser_parse(TSParser *, const TSTree *, TSInput);
extern void ts_tree_delete(TSTree *);
extern TSNode ts_tree_root_node(const TSTree *);
extern uint16_t ts_node_symbol(TSNode);
extern uint32_t ts_node_start_byte(TSNode);
extern uint32_t ts_node_end_byte(TSNode);
extern bool ts_node_is_named(TSNode);
extern bool ts_node_is_error(TSNode);
extern bool ts_node_is_missing(TSNode);
extern bool ts_node_is_extra(TSNode);
extern bool ts_node_has_error(TSNode);
extern TSTreeCursor ts_tree_cursor_new(TSNode);
extern void ts_tree_cursor_delete(TSTreeCursor *);
extern TSNode ts_tree_cursor_current_node(const TSTreeCursor *);
extern uint16_t ts_tree_cursor_current_field_id(const TSTreeCursor *);
extern bool ts_tree_cursor_goto_first_child(TSTreeCursor *);
extern bool ts_tree_cursor_goto_next_sibling(TSTreeCursor *);
extern bool ts_tree_cursor_goto_parent(TSTreeCursor *);
extern uint32_t ts_language_version(const TSLanguage *);
extern uint32_t ts_language_symbol_count(const TSLanguage *);
extern const char *ts_language_symbol_name(const TSLanguage *, uint16_t);
extern uint32_t ts_language_field_count(const TSLanguage *);
extern const char *ts_language_field_name_for_id(const TSLanguage *, uint16_t);
extern void ts_set_allocator(void *(*)(size_t), void *(*)(size_t, size_t),
                             void *(*)(void *, size_t), void (*)(void *));

// A parse stays on one thread until it returns, so the budget of the one in
// progress can live in thread-local storage. Two things are counted: bytes
// allocated, and never bytes freed, and pieces of text handed to the lexer.
// Both are the same in every run, so the same texts are refused everywhere. The
// first stops ambiguity, which multiplies nodes; the second stops lexing that
// runs to the end of the text again and again, which allocates nothing.
//
// Over the budget the parser is asked to stop, which it does between tokens. A
// single token can cost gigabytes, though, so an eighth over the budget the
// parse is left by a jump. For that every block it holds is in a list.
static _Thread_local uint64_t allocated, allocated_limit, reads, reads_limit;
static _Thread_local size_t cancelled;
static _Thread_local jmp_buf leave;

typedef struct block {
  struct block *prev, *next; // NULL outside a parse
} block;
static _Thread_local block held;

static void account(size_t n) {
  if (!allocated_limit) return;
  allocated += n + 16;
  if (allocated <= allocated_limit) return;
  cancelled = 1;
  if (allocated > allocated_limit + allocated_limit / 8) longjmp(leave, 1);
}

static void *hold(block *b, size_t n) {
  if (!b) {
    if (!n) return NULL;
    if (allocated_limit) longjmp(leave, 2);
    abort();
  }
  b->prev = b->next = NULL;
  if (allocated_limit) {
    b->prev = &held;
    b->next = held.next;
    if (b->next) b->next->prev = b;
    held.next = b;
  }
  return b + 1;
}

static void release(block *b) {
  if (!b->prev) return;
  b->prev->next = b->next;
  if (b->next) b->next->prev = b->prev;
}

static void *count_malloc(size_t n) {
  account(n);
  return hold(malloc(n + sizeof(block)), n);
}
static void *count_calloc(size_t n, size_t m) {
  account(n * m);
  return hold(calloc(1, n * m + sizeof(block)), n * m);
}
static void *count_realloc(void *p, size_t n) {
  if (!p) return count_malloc(n);
  account(n);
  block *b = (block *)p - 1;
  release(b);
  block *grown = realloc(b, n + sizeof(block));
  if (!grown) free(b);
  return hold(grown, n);
}
static void count_free(void *p) {
  if (!p) return;
  block *b = (block *)p - 1;
  release(b);
  free(b);
}
static void free_held(void) {
  for (block *b = held.next; b;) {
    block *next = b->next;
    free(b);
    b = next;
  }
  held.next = NULL;
}

// Assertions of the grammars' scanners are compiled in, and some do not hold for
// hostile texts: Ruby's fails on a here-document whose word is longer than a
// byte can count. The C library would end the process. Its handler is replaced
// for the whole program: one that fails during a parse costs the text.
#if defined(__linux__)
_Noreturn void __assert_fail(const char *expression, const char *file, unsigned line, const char *function) {
  (void)function;
  if (allocated_limit) longjmp(leave, 1);
  fprintf(stderr, "%s:%u: assertion failed: %s\n", file, line, expression);
  abort();
}
#elif defined(__APPLE__)
_Noreturn void __assert_rtn(const char *function, const char *file, int line, const char *expression) {
  (void)function;
  if (allocated_limit) longjmp(leave, 1);
  fprintf(stderr, "%s:%d: assertion failed: %s\n", file, line, expression);
  abort();
}
#endif

void pm_install_allocator(void) {
  ts_set_allocator(count_malloc, count_calloc, count_realloc, count_free);
}

static uint8_t node_flags(TSNode n) {
  return (ts_node_is_named(n) ? 1 : 0) | (ts_node_is_error(n) ? 2 : 0) |
         (ts_node_is_missing(n) ? 4 : 0) | (ts_node_is_extra(n) ? 8 : 0) |
         (ts_node_has_error(n) ? 16 : 0);
}

typedef struct {
  const char *source;
  uint32_t length;
} text;

static const char *read_chunk(void *payload, uint32_t at, TSPoint unused, uint32_t *n) {
  (void)unused;
  const text *t = payload;
  // Once refused, the text ends here: the lexer asks for the flag only between
  // tokens.
  if (at >= t->length || cancelled) {
    *n = 0;
    return "";
  }
  if (++reads > reads_limit) cancelled = 1;
  uint32_t left = t->length - at;
  *n = left < PM_CHUNK ? left : PM_CHUNK;
  return t->source + at;
}

static pm_result parse_here(const void *language, const char *source, uint32_t length,
                            uint64_t max_allocated, uint64_t max_reads) {
  pm_result r = {NULL, 0, 2, 0, 0};
  allocated = reads = 0;
  allocated_limit = max_allocated;
  reads_limit = max_reads;
  cancelled = 0;
  held.next = NULL;
  int left = setjmp(leave);
  if (left) {
    allocated_limit = 0;
    r.allocated = allocated;
    r.reads = reads;
    r.status = left;
    free_held();
    return r;
  }
  // A fresh parser for each text: a reused one keeps pools whose state would
  // make the count depend on what was parsed before.
  TSParser *parser = ts_parser_new();
  if (!parser) return r;
  TSTree *tree = NULL;
  if (ts_parser_set_language(parser, language)) {
    ts_parser_set_cancellation_flag(parser, &cancelled);
    text t = {source, length};
    tree = ts_parser_parse(parser, NULL, (TSInput){&t, read_chunk, TSInputEncodingUTF8});
  }
  ts_parser_delete(parser);
  allocated_limit = 0;
  r.allocated = allocated;
  r.reads = reads;
  // A parse that ended just as its budget did may have been cut short by
  // read_chunk, so its tree is not to be trusted.
  if (cancelled) {
    if (tree) ts_tree_delete(tree);
    r.status = 1;
    return r;
  }
  if (!tree) return r;

  size_t cap = length / 4 + 64;
  pm_node *nodes = malloc(cap * sizeof *nodes);
  uint32_t count = 0, parent = 0;
  bool ok = nodes != NULL;
  TSTreeCursor cursor = ts_tree_cursor_new(ts_tree_root_node(tree));
  while (ok) {
    if (count == cap) {
      cap *= 2;
      pm_node *grown = realloc(nodes, cap * sizeof *nodes);
      if (!grown) { ok = false; break; }
      nodes = grown;
    }
    TSNode n = ts_tree_cursor_current_node(&cursor);
    uint32_t self = count++;
    nodes[self] = (pm_node){ts_node_start_byte(n), ts_node_end_byte(n), 0, parent,
                            ts_node_symbol(n),
                            (uint8_t)ts_tree_cursor_current_field_id(&cursor),
                            node_flags(n)};
    if (ts_tree_cursor_goto_first_child(&cursor)) {
      parent = self;
      continue;
    }
    nodes[self].next = count;
    bool done = false;
    while (!ts_tree_cursor_goto_next_sibling(&cursor)) {
      if (!ts_tree_cursor_goto_parent(&cursor)) { done = true; break; }
      nodes[parent].next = count;
      parent = nodes[parent].parent;
    }
    if (done) break;
  }
  ts_tree_cursor_delete(&cursor);
  ts_tree_delete(tree);
  if (!ok) {
    free(nodes);
    return r;
  }
  r.nodes = nodes;
  r.count = count;
  r.status = 0;
  return r;
}

// Tree-sitter releases and merges its parse stack by recursion, one frame of
// about 100 bytes for every level of nesting that is ambiguous. A level takes at
// least a byte of text, and an empty token may come with it. The stack of the
// calling thread holds what a short text can nest; a longer text gets a thread
// whose stack is large enough for any of its length. The system commits only
// the pages that are touched.
#define PM_STACK_OF_CALLER (16 * 1024)
#define PM_STACK_PER_BYTE 256

typedef struct {
  const void *language;
  const char *source;
  uint32_t length;
  uint64_t max_allocated, max_reads;
  pm_result result;
} job;

#ifdef _WIN32
static DWORD WINAPI run(LPVOID p) {
#else
static void *run(void *p) {
#endif
  job *j = p;
  j->result = parse_here(j->language, j->source, j->length, j->max_allocated, j->max_reads);
  return 0;
}

pm_result pm_parse(const void *language, const char *source, uint32_t length,
                   uint64_t max_allocated, uint64_t max_reads) {
  job j = {language, source, length, max_allocated, max_reads, {NULL, 0, 3, 0, 0}};
  if (length <= PM_STACK_OF_CALLER) {
    run(&j);
    return j.result;
  }
  size_t stack = ((size_t)1 << 20) + (size_t)length * PM_STACK_PER_BYTE;
  stack = (stack + 0xffff) & ~(size_t)0xffff;
#ifdef _WIN32
  HANDLE h = CreateThread(NULL, stack, run, &j, STACK_SIZE_PARAM_IS_A_RESERVATION, NULL);
  if (h) {
    WaitForSingleObject(h, INFINITE);
    CloseHandle(h);
  }
#else
  pthread_attr_t attr;
  pthread_t thread;
  if (pthread_attr_init(&attr)) return j.result;
  if (!pthread_attr_setstacksize(&attr, stack) && !pthread_create(&thread, &attr, run, &j))
    pthread_join(thread, NULL);
  pthread_attr_destroy(&attr);
#endif
  return j.result;
}

void pm_free(pm_node *nodes) { free(nodes); }

uint32_t pm_language_version(const void *l) { return ts_language_version(l); }
uint32_t pm_symbol_count(const void *l) { return ts_language_symbol_count(l); }
const char *pm_symbol_name(const void *l, uint16_t s) { return ts_language_symbol_name(l, s); }
uint32_t pm_field_count(const void *l) { return ts_language_field_count(l); }
const char *pm_field_name(const void *l, uint16_t f) { return ts_language_field_name_for_id(l, f); }
