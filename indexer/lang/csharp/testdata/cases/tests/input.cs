// Expected: test code, by its attributes.
using Xunit;

namespace Shop.Tests;

public class OrderTests
{
    [Fact]
    public void Adds() => Assert.Equal(2, new Order().Add(1, 1));

    [Theory, InlineData(1, typeof(Order))]
    public async Task Loads(int n, Type t) { await Task.Yield(); }
}
