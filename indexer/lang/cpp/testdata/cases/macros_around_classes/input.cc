// Row 12: macros that wrap classes cost neither the class nor its bases.
#include "api.h"

EXPORT_API class Foo : public Bar {
 public:
  int run();
};

class EXPORT Panel final : public ns::Widget<int>, private Other {
  Q_OBJECT
 public:
  Panel(int width) : Widget(width) {}
 public slots:
  void onClick();
 signals:
  void clicked();
 private:
  int width_;
};

class EXPORT(1) Third : public Bar { int x; };
struct PACKED Fourth { int y; };

LIB_BEGIN_NAMESPACE
LIB_API int free_function(int a);
LIB_INLINE auto made() -> int { return free_function(1); }
LIB_END_NAMESPACE

class After { void last(); };
