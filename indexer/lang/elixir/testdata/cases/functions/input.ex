# Expected: the clauses of one name and arity that follow one another are one
# definition from the first line of the first to the last line of the last; other
# arities are definitions of their own. A head without body with default
# arguments is the first clause. defp and defmacrop are private.
defmodule Functions do
  def run(x, opts \\ [])

  def run(%Foo{name: name} = foo, opts) when is_list(opts) do
    {name, foo}
  end

  # A comment between clauses.
  @doc false
  def run({:ok, value}, _opts), do: value

  def run(x), do: x

  defp helper(a, b)
       when a > b do
    a
  end

  defp helper(_, b), do: b

  defmacro assert_it(expr, do: block) do
    quote do: unquote(expr) && unquote(block)
  end

  defmacrop hidden(x), do: x

  defguard is_even(n) when is_integer(n) and rem(n, 2) == 0
  defguardp is_odd(n) when not is_even(n)

  defdelegate size(list), to: Other.List, as: :count
  defdelegate same(a, b), to: Other

  def left <~> right, do: {left, right}
  def !value, do: value
  def question?(x), do: x == 1
  def bang!(x), do: x
  def no_parens, do: 1
  def keyword_body(x),
    do: x

  def long(
        first,
        %{deep: %{pattern: "that is much longer than forty bytes in all"}},
        <<head::8, rest::binary>>
      ) do
    {first, head, rest}
  end

  def rescued(x) do
    work(x)
  rescue
    e in [ArgumentError, RuntimeError] -> handle(e)
  after
    clean_up()
  end

  for name <- [:a, :b] do
    # Its name is computed: no definition, but the call in it is seen.
    def unquote(name)(x), do: inside(x)
  end
end

defmodule Unquoted do
  # A literal in unquote is the name.
  def unquote(:<>)(left, right), do: {left, right}
  def unquote(:"with space")(x), do: x
  def unquote(:plain)(), do: 1
end
