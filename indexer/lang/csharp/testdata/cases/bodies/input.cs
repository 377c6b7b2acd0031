// Expected: calls and reads with the shape of what stands before them, the
// locals bound with a type or an initialiser; Helper is local to Work.
using System;

class Worker
{
    private Store store;
    public Log Journal { get; set; }

    int Work(Request request, Func<int, int> f)
    {
        var order = new Order(request.Id) { Lines = { 1 }, Owner = Find(request) };
        Order second = new();
        store.Save(order); // qualifier store
        this.store.Load<Item>(order.Id)?.Items[0].Touch();
        Journal.Write($"saved {order.Describe()}"); // Journal is a property, not a type
        Console.WriteLine(nameof(Work));
        if (request.Body is Text { Length: > 3 } text && text.IsPlain) return text.Size();
        if (request.Body is not Binary) throw new FormatException("no");
        foreach (var item in order.Items) item.Count();
        foreach (Item it in All()) { it.Go(); }
        for (int i = 0, n = order.Size(); i < n; i++) Step(i);
        using var file = File.Open("x");
        using (var other = Open()) { other.Read(); }
        try { Risk(); } catch (IOException e) when (e.HResult > 0) { Report(e); }
        var (x, y) = Pair();
        TryGet(out int value2, out var value3);
        var names = from c in customers join o in orders on c.Id equals o.Owner where c.Age > limit select new { c.Name, o.Total };
        Func<int, int> twice = v => v * Factor;
        items.Select((a, b) => a.Mix(b)).Where(z => z.Good).ToList();
        int Helper(int p) => p + Deep();
        string kind = second switch { Big b => b.Name, { Size: 1 } => "one", _ => throw new Bad() };
        var copy = order with { Owner = null };
        typeof(Order).GetMethods();
        object o2 = (IStore)store;
        var list = new List<Order> { order };
        int[] all = [1, .. rest];
        f(1); // a parameter: no reference
        return Helper(2) + (store as Cache).Hits;
    }
}
