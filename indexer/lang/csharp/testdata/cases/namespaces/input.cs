// Expected: two namespaces are two modules that hold their types; what they
// share (Shop) is the package of the file.
namespace Shop.Web
{
    using System;
    public class Page { }
    namespace Inner
    {
        class Part { }
    }
}

namespace Shop.Data
{
    public class Page { }
}
