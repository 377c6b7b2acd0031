/* Structs, unions, enums, typedefs, variables and macros. */
#define LIMIT 10
#define MAX(a, b) ((a) > (b) ? (a) : clamp(b))
#define EMPTY

/* A list. It has nodes. */
struct list {
	struct node *head; /* first node */
	unsigned flags : 3, spare : 5;
	int (*compare)(const void *a, const void *b);
	union {
		int number; /* belongs to list, for the union has no name */
		double real;
	};
	struct { int x, y; } place;
};

/* An unnamed struct takes the name of its typedef. */
typedef struct {
	int width;
} Size;

typedef struct tree { struct tree *left; } tree_t; /* struct tree and type tree_t */
typedef struct same { int one; } same; /* one definition */
typedef int (*callback_fn)(struct list *l, void *data);
typedef unsigned long long big_t, *big_ptr;

enum color { RED, GREEN = 2, BLUE };
typedef enum { OFF, ON } Switch;

static const int table[] = { 1, 2, LIMIT };
extern int shared_count;
int first = 1, *second;
struct point { int x; } origin = { .x = 0 };
struct forward; /* no definition */
const char *const names[] = { "a", "b" };
