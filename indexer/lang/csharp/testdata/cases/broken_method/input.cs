// Expected: everything but what stands inside Broken; After and the class Next
// are found, with their containers.
namespace Damage
{
    public class First
    {
        public void Before() { One(); }

        public void Broken(int x)
        {
            if (x > (1 { return; }
            foreach var y in z
        }

        public void After() { Two(); }
        public int Count { get; set; }
    }

    public class Next
    {
        public void Fine() { }
    }
}
