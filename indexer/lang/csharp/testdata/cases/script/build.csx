#!/usr/bin/env dotnet-script
#r "nuget: Cake, 1.0"
#load "tasks.csx"
// Expected: a script: an entry point, the function Deploy and the class Options.
using System.IO;

Deploy(new Options());

void Deploy(Options o)
{
    Directory.CreateDirectory(o.Target);
}

class Options { public string Target { get; set; } = "out"; }
