// Expected: one definition for every member with kind, type and visibility.
namespace Shop;

public abstract unsafe class Machine
{
    public const int Max = 3, Min = 1; // two constants
    public static readonly string Tag = "x"; // a constant
    private int a = 1, b;
    protected internal volatile bool ready;
    public required string Name { get; init; } = "none";
    public string? Title => title ?? Build();
    public int Level { get => level; private set { level = value; Changed?.Invoke(this); } }
    public int this[int row, string column] { get { return cells[row]; } }
    public event EventHandler? Changed;
    public event EventHandler Moved { add { list.Add(value); } remove { list.Remove(value); } }

    static Machine() { Init(); }
    public Machine(int a, params object[] rest) : base(a) { this.a = a; }
    internal Machine() : this(1) { }
    ~Machine() { Free(); }

    public static Machine operator +(Machine x, Machine y) => x.Join(y);
    public static bool operator ==(Machine x, Machine y) => true;
    public static implicit operator int(Machine m) => m.a;
    public static explicit operator checked Dictionary<string, int>(Machine m) => null;

    public abstract Task<List<Part>> Load<K>(ref K key, out int size, in Part p) where K : struct, IKey;
    public override async Task Run() { await Load(ref a, out var size, null); }
    [DllImport("c")] public static extern int getpid();
    partial void Hook(int x); // a declaration: another part may implement it
    int IComparable<Machine>.CompareTo(Machine? other) => 0; // public by its interface
    public ref readonly int Peek() => ref cells[0];
    private delegate*<int, void> pointer;
    private (int id, string name)[] pairs;

    // Two methods of one name are two definitions.
    public void Add(int x) { }
    public void Add(string x) { }
    public int @class; // the name is class
}
