// Expected: both sides of the unfinished merge.
namespace Merge;

public class Store
{
<<<<<<< HEAD
    public void Ours() { }
=======
    public void Theirs() { }
>>>>>>> branch
    public void After() { }
}
