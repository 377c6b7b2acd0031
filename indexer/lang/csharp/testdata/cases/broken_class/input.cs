// Expected: the head of Broken makes no sense, which costs that class at most;
// Kept is found in it or at its level, Fine and Good in their own classes.
namespace Damage;

public class Before
{
    public void Fine() { }
}

public class : Broken<
{
    public void Kept() { }
}

public class After
{
    public void Good() { }
}

public interface ILast
{
    void End();
