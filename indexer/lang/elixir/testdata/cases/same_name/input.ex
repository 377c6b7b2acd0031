# Expected: one name twice. Clauses in a row are one definition; under different
# branches, and behind another definition, each stands with its own lines. The
# module that is defined twice stands twice.
defmodule Same do
  if Code.ensure_loaded?(:json) do
    def encode(x), do: :json.encode(x)
    def encode_all(xs), do: xs
  else
    def encode(x), do: Jason.encode(x)
  end

  def size([]), do: 0
  def size([_ | t]), do: 1 + size(t)

  def between(x), do: x

  def size(%{}), do: 1

  def size(_, _), do: 2
end

defmodule Same do
  def size(x), do: x
end
