#!/usr/bin/env elixir
# Expected: a script; the function of the module, and calls at the level of the file.
Mix.install([{:jason, "~> 1.4"}])

defmodule Script do
  def main(args), do: IO.puts(args)
end

name = System.argv()
Script.main(name)
