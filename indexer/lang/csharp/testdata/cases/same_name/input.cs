// Expected: overloads, a generic type beside the one without parameters, and
// the parts of a partial class are definitions of their own.
namespace Same;

public class Box { public void Put(int x) { } public void Put(string x) { } public void Put<T>(T x) { } }
public class Box<T> { public T Item { get; } }
public partial class Part { void A() { } }
public partial class Part { void B() { } }
public interface IPart { void A(); }
