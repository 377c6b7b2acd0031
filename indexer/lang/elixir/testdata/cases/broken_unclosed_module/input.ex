# Expected: the end of First is missing; both modules keep their functions.
defmodule First do
  def one(x), do: x

  defmodule Inner do
    def two(x) do
      x
    end
  end

  def three, do: 3

defmodule Second do
  def four, do: 4
end
