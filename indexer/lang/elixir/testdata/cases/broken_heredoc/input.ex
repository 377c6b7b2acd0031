# Expected: the documentation of one/1 is never closed; it costs at most one/1.
defmodule Heredoc do
  def zero, do: 0

  @doc """
  Never closed.

  def one(x), do: x

  @doc "Closed."
  def two(x), do: x

  def three(x) do
    "never closed
  end

  def four(x), do: x
end

defmodule Behind do
  def five, do: 5
end
