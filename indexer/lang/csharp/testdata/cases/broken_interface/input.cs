// Expected: the opening brace of IStore and the closing one of Mode are missing,
// which costs no definition: members stay with their type, Last is no member.
namespace Damage
{
    public interface IStore
        int Count { get; }
        void Save(Order order);
        Task<Order> Load(int id);
    }

    public enum Mode
    {
        Fast = 1,
        Slow

    public class Last
    {
        public void Good() { }
    }
}
