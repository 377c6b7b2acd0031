/* Row 14: calls of functions in other files are made by the enclosing function,
   never by the file. Calls through fields keep their qualifier. */
#include "store.h"

static struct store *current;

int save_all(struct store *s, int n)
{
	struct item *it = store_first(s);
	for (int i = 0; i < n; i++) {
		store_put(s, it);
		it->ops->flush(it);
		current->count++;
	}
	struct item copy = *it;
	copy.run(&copy);
	return ((struct item *)it)->size + LIMIT;
}

int (*hook)(int) = save_hook; /* read of save_hook in hook */
