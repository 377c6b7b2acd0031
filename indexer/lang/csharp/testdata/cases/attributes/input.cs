// Expected: attributes are references to types and stand in no signature; the
// line of a definition is the one behind them. NUnit's make it test code.
using NUnit.Framework;

[assembly: InternalsVisibleTo("Shop.Tests")]

namespace Shop.Tests;

[TestFixture(typeof(Store))]
[Category("slow")]
public class StoreTests
{
    [SetUp]
    public void Prepare() { }

    [Test]
    [TestCase(1, Mode.Fast)]
    [Obsolete]
    public void Saves(int n, [Values(1, 2)] int m) { }

    [field: NonSerialized] private int counter;

    [return: NotNull]
    public string Name([CallerMemberName] string name = "") => name;
}
