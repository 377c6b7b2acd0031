// Expected: Open has no closing brace; After, Field and the class Next are found
// all the same.
using System;

namespace Damage;

public class First
{
    public void Before() { One(); }

    public void Open(int x)
    {
        if (x > 1)
        {
            Call();

    }

    public void After() { Two(); }
    private int field = 1;
}

public class Next
{
    public void Fine() { }
}

public class Third
{
    public void Good() { }
}
