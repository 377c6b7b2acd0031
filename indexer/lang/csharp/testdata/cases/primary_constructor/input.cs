// Expected: the parameters of a class or struct are names bound inside it; those
// of a record are properties. What follows each is found.
namespace Primary;

public class Service(IStore store, ILogger<Service> log, int retries = 3) : BaseService(log), IService
{
    private readonly IStore kept = store;
    public void Run() { store.Save(retries); log.Info("x"); }
    public Service(IStore only) : this(only, null) { }
}

public struct Range(int from, int to) { public int Length => to - from; }

public record Person([property: JsonPropertyName("n")] string Name, IList<Address>? Homes)
{
    public string Upper() => Name.ToUpper();
}

public sealed class Attributed([FromServices] IStore store) : IService;

public record class Child(string Name) : Person(Name, null);

public class After { public void Found() { } }
