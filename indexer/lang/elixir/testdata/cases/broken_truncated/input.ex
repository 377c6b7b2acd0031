# Expected: the file breaks off in the middle; what stands before is found.
defmodule Truncated do
  def one(x), do: x

  defp two(x) do
    x
  end

  def three(a, b) do
    case a do
      {:ok,
