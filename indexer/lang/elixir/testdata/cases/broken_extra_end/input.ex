# Expected: one end too many; every function stays in its module.
defmodule Extra do
  def one(x) do
    x
  end
  end

  def two(x), do: x
end

defmodule Second do
  def three, do: 3
end
