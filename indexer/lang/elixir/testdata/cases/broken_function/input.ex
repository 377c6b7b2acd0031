# Expected: the damage costs broken/1 its parameters and its body, nothing else.
defmodule Broken do
  @doc "Stands before."
  def before(x), do: x

  def broken(x do
    y = call(
  end

  @doc "Stands behind."
  def behind(x) do
    helper(x)
  end

  def missing_end(x) do
    if x do
      1

  def next(x), do: x

  @attr [1, 2
  def after_attribute, do: 1

  test "broken", %{a: } do
    x
  end

  defp helper(x), do: x
end

defmodule Whole do
  def found, do: 1
end
