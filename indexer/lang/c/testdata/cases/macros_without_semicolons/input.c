// Uses of macros without a semicolon make no definitions of their own: no
// function if, DECLARE_COLUMN or each, no variable UNUSED or node_t. Defined are
// DECLARE_COLUMN and GET_VALUE as macros, setValue, report, tree_type, each_tree,
// list_type, nodes and last.
#define GET_VALUE(x) x = 1;
#define DECLARE_COLUMN(x) int x;

DECLARE_COLUMN(total)

static int setValue(int given) {
  int previous;
  GET_VALUE(previous)
  if (previous != given) {
    return 1;
  }
  else if (given) {
    return 3;
  }
  return 2;
}

void report(int detailed) {
  DECLARE_COLUMN(first)
  DECLARE_COLUMN(second)
  if (detailed) {
    print(first);
  }
  each(element, list) {
    print(element);
  }
}

typedef rb_tree(node_t) tree_type;
rb_gen(static UNUSED, each_tree_, tree_type, node_t, link,
    node_cmp);

static node_t *
each_tree(tree_type *tree) {
  return 0;
}

DIAGNOSTIC_POP
typedef ql_head(node_t) list_type;
static list_type nodes = ql_head_initializer(nodes);

int last;
