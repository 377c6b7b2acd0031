// The few prototypes of tree-sitter's C interface that parse.c needs. The
// library itself is compiled and linked by the Go binding.
#ifndef PROJECT_MAP_PARSE_H
#define PROJECT_MAP_PARSE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef struct {
  uint32_t start, end, next, parent;
  uint16_t kind;
  uint8_t field, flags;
} pm_node;

typedef struct {
  pm_node *nodes;
  uint32_t count;
  int status; // 0 parsed, 1 budget exceeded, 2 no memory or no parser, 3 no thread
  uint64_t allocated; // bytes
  uint64_t reads;     // chunks of at most PM_CHUNK bytes
} pm_result;

// Bytes of text that the lexer gets at a time.
#define PM_CHUNK 4096

pm_result pm_parse(const void *language, const char *source, uint32_t length,
                   uint64_t max_allocated, uint64_t max_reads);
void pm_free(pm_node *nodes);

uint32_t pm_language_version(const void *language);
uint32_t pm_symbol_count(const void *language);
const char *pm_symbol_name(const void *language, uint16_t symbol);
uint32_t pm_field_count(const void *language);
const char *pm_field_name(const void *language, uint16_t field);
void pm_install_allocator(void);

#endif
