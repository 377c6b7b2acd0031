/* Designated fields tell the type that they belong to. */
#ifdef HAVE_TABLE
static struct table table = { .size = 3, .inner = { .deep = 1 } };
#endif
struct item items[] = { { .name = "a" }, [2] = { .name = "b" } };

void use(void) {
    item_t local = { .name = "c", .pos.x = 1 };
    take((item_t){ .name = "d" });
    take(&(union any){ .i = 1 });
}
