// Expected: of First every member but the ones that make no sense; Next whole.
namespace Damage;

public class First
{
    public int A { get; set;
    public int B { get; }
    private string = 3;
    public void C(int, { }
    public void D() { }
}

public enum Next { One, Two }
