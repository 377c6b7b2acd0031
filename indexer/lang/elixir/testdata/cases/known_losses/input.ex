# Expected, and not what one would wish: names that are computed give no
# definition; the ternary range operator goes by its last part; a heredoc whose
# closing quotes are missing is closed by those of the next one, which makes the
# file whole for Elixir too: two/0 stands in a string. What comes behind is found.
defmodule Losses do
  for {name, value} <- [a: 1, b: 2] do
    def unquote(name)(), do: unquote(value)
  end

  def first..last//step, do: {first, last, step}

  @doc """
  Never closed.
  def two, do: 2

  @doc """
  Documented.
  """
  def three, do: 3

  create_functions_by_macro(:four)
end
