// Expected: an entry point, by the statements at the level of the file. Twice
// is a function of the file, args and total are local names.
using System;

var total = Twice(21);
Console.WriteLine(total);
await Task.Delay(1);
return 0;

static int Twice(int n)
{
    return n * 2;
}

class Helper { public void Help() { } }
