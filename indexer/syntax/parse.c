#include "parse.h"

#include <stdlib.h>
#include <string.h>

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

// A call from Go stays on one thread until it returns, so the budget of the
// parse in progress can live in thread-local storage. Two things are counted:
// bytes allocated, and never bytes freed, and pieces of text handed to the
// lexer. Both are the same in every run, so the same texts are refused
// everywhere. The first stops ambiguity, which multiplies nodes; the second
// stops lexing that runs to the end of the text again and again, which
// allocates nothing.
static _Thread_local uint64_t allocated, allocated_limit, reads, reads_limit;
static _Thread_local size_t cancelled;

static void account(size_t n) {
  allocated += n + 16;
  if (allocated_limit && allocated > allocated_limit) cancelled = 1;
}
static void *count_malloc(size_t n) {
  account(n);
  void *p = malloc(n);
  if (!p && n) abort();
  return p;
}
static void *count_calloc(size_t n, size_t m) {
  account(n * m);
  void *p = calloc(n, m);
  if (!p && n && m) abort();
  return p;
}
static void *count_realloc(void *p, size_t n) {
  account(n);
  void *q = realloc(p, n);
  if (!q && n) abort();
  return q;
}

void pm_install_allocator(void) {
  ts_set_allocator(count_malloc, count_calloc, count_realloc, free);
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

pm_result pm_parse(const void *language, const char *source, uint32_t length,
                   uint64_t max_allocated, uint64_t max_reads) {
  pm_result r = {NULL, 0, 2, 0, 0};
  allocated = reads = 0;
  allocated_limit = max_allocated;
  reads_limit = max_reads;
  cancelled = 0;
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

void pm_free(pm_node *nodes) { free(nodes); }

uint32_t pm_language_version(const void *l) { return ts_language_version(l); }
uint32_t pm_symbol_count(const void *l) { return ts_language_symbol_count(l); }
const char *pm_symbol_name(const void *l, uint16_t s) { return ts_language_symbol_name(l, s); }
uint32_t pm_field_count(const void *l) { return ts_language_field_count(l); }
const char *pm_field_name(const void *l, uint16_t f) { return ts_language_field_name_for_id(l, f); }
