/* One name as a struct, a typedef, a macro and a function: each once. */
struct stat { int size; };
int stat(const char *path, struct stat *out);
int stat(const char *path, struct stat *out);
#define stat stat64
#undef stat
#define stat stat32
typedef struct entry entry;
struct entry { entry *next; };
