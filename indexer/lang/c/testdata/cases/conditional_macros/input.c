// A branch that ends in a call of a macro holds whole statements all the same.
#ifdef USE_SYSTEM
int imported;
#else
DISABLE_WARNINGS(4455)
struct own { int field; };
int own_function(struct own *o) { return o->field; }
RESTORE_WARNINGS()
#endif
int behind(void) { return 1; }
