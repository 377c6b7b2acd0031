// Expected: an entry point by Program.Main; the other Main takes no strings and
// Worker.Main is not static.
namespace App
{
    internal static class Program
    {
        /// <summary>Starts the <see cref="App.Worker"/>.</summary>
        private static async Task<int> Main(string[] args)
        {
            return await new Worker().Main();
        }

        static int Main(Worker w) => 1;
    }

    class Worker
    {
        public Task<int> Main() => Task.FromResult(0);
    }
}
