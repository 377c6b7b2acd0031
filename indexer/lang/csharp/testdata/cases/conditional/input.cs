// Expected: both definitions of Pick (whole declarations under #if), the first
// head of Store and of Cut (the condition cuts through a bracket), and Last.
#if NET8_0
using System.Fast;
#else
using System.Slow;
#endif

namespace Shop;

#if DEBUG
public class Store : Traced {
#else
public class Store {
#endif
#if WINDOWS
    public int Pick(int x) { return 1; }
#else
    public int Pick(long x) { return 2; }
#endif

#if A
    void Cut(int a) {
#else
    void Cut(string a) {
#endif
        Work();
#if B
        Call(1,
#else
        Call(2,
#endif
            3);
    }

    enum Mode
    {
        One,
#if EXTRA
        Two,
#endif
        Three
    }

#pragma warning disable CS0168
    public void Last() { }
}
