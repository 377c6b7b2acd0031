# Expected: a protocol as interface with abstract methods; an implementation as a
# module of the protocol's name, with the protocol as base and the type it is for;
# its functions have the name of the module that it really is as container.
defprotocol Shop.Size do
  @moduledoc "Tells how big something is."
  @fallback_to_any true

  @doc "Counts."
  @spec size(t) :: non_neg_integer
  def size(data)
end

defimpl Shop.Size, for: Map do
  def size(map), do: map_size(map)
end

defimpl Shop.Size, for: [List, Shop.Cart] do
  def size(x), do: length(x)
end

defmodule Shop.Cart do
  defstruct items: []

  defimpl Inspect do
    def inspect(cart, _opts), do: cart.items
  end

  defimpl String.Chars, for: __MODULE__ do
    def to_string(cart), do: "cart"
  end
end
