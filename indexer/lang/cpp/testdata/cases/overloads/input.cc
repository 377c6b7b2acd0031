// Row 15 and 16: one name several times, each with its own lines and calls.
void print(int x) { write_int(x); }
void print(const char* s) { write_text(s); }
struct Printer {
  void print(int x) { ::print(x); }
  void print(double x) { this->print(static_cast<int>(x)); }
};
void use(Printer& p) {
  print(1);
  p.print(2);
}
#ifdef A
int choice() { return a(); }
#else
int choice() { return b(); }
#endif
