// Expected: package Shop.Orders; every type below is a definition with its kind.
// What no modifier opens is internal (protected here) at the level of the file
// and private inside a type. Both parts of the partial class bear one name.
using System;
using static System.Math;
using Lines = System.Collections.Generic.List<Shop.Orders.Line>;
global using System.Linq;

namespace Shop.Orders;

/// <summary>An order of a customer. It has lines.</summary>
[Serializable, Table("orders")]
public partial class Order<T>(int number, ILogger log) : Entity(number), IOrder<T>, IDisposable where T : Line, new()
{
    private readonly int start = number; // the parameter number is bound in the class
}

public partial class Order<T>
{
    public void Dispose() => log.Close();

    private protected class Nested { internal int depth; }
}

public record Customer(string Name, int Age = 1) : Person(Name);
public readonly record struct Point(double X, double Y);
internal sealed record class Empty;
readonly ref struct Window { public int Size { get; } }

public interface IStore
{
    int Count { get; }            // public and abstract
    void Save(Order<Line> order); // public and abstract
    void Flush() { Save(null); }  // a default member: public, not abstract
    private void Hidden() { }
}

enum Color : byte { Red = 1, [Obsolete] Green, Blue = Red | 4 }

public delegate Task<T> Handler<T>(object sender, T args) where T : EventArgs;

file class Local { }

public static class Extensions
{
    public static string Shout(this string text, int times = 2) => text.ToUpper();
}
