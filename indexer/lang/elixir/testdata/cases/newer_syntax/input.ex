# Expected: syntax of Elixir 1.12 to 1.18: no damage, every function is found.
defmodule Newer do
  def step, do: 1..10//2
  def full, do: ..
  def power(x), do: x ** 2
  def sigil, do: ~HTML"<b>" <> ~c"charlist"
  def sigil2(assigns), do: ~H"""
    <div :if={@shown} {@rest}><%= @name %></div>
    """
  def not_in(x), do: x not in [1, 2]
  def range(first..last//step), do: {first, last, step}
  def capture, do: &1.name
  def debug(x), do: x |> dbg() |> then(&(&1 + 1)) |> tap(fn _ -> :ok end)
  def struct_match(%mod{} = x) when is_struct(x, mod), do: mod
  def access(x), do: x[:a][:b].c.()
  def bits(<<x::size(8)-unit(1), rest::binary-size(x)>>), do: rest
  def min_max(x) when is_map_key(x, :a) and x.a > 1, do: x.a
  def multi, do: ~MY2SIGIL[a]
  def last, do: %{"key": 1, "other" => 2, nested: %{a: 1}}
  @type fun1 :: (-> integer) | (... -> any) | %{optional(atom) => any, required(:a) => b()}
  @spec spec(arg :: %__MODULE__{}, [{atom, any}], <<_::_*8>>) :: no_return when arg: var
  def spec(a, b, c), do: {a, b, c}
end
