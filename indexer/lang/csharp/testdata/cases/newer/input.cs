// Expected: nothing lost after constructs of C# 12 to 14: types without a body,
// primary constructors, extension blocks (their members belong to Strings and
// are static), compound operators, field, allows ref struct, partial members.
namespace Newer;

public class Marker;
public class Failure(string text) : Exception(text);
interface ITag;
struct Pair(int a, int b);

public static class Strings
{
    extension(string text)
    {
        public int Words => text.Split(' ').Length;
        public string Twice() => text + text;
    }

    extension<T>(IEnumerable<T> source) where T : class
    {
        public bool IsEmpty => !source.Any();
    }

    extension(Widget)
    {
        public static Widget Create() => new();
    }

    public static int After(this string s) => 1;
}

public partial class Widget
{
    public int Level { get => field; set => field = value; }
    public partial int Size { get; }
    public partial Widget(int x);
    public void operator +=(int x) { Level += x; }
    public static int Fill<T>(T t) where T : notnull, allows ref struct => 1;
    void Assign(Widget? w) { w?.Level = 3; w?.Next.Level += 1; }
    string Unbound() => nameof(List<>);
    void Lambda() { Run((ref x, out y) => y = x); }
    int[] all = [1, 2, .. rest];
    string raw = """
        class NotAClass { "quoted" }
        """;
    public int Last { get; set; }
}

public record Final;
