# Expected: the fields of structs, exceptions and records, with the types that
# @type t gives them.
defmodule Point do
  @type t() :: %__MODULE__{x: integer(), y: integer() | nil}
  @enforce_keys [:x]
  defstruct [:x, :y, {:z, 0}, label: "none"]

  def origin, do: %Point{x: 0, y: 0}
  def move(%__MODULE__{x: x} = point, dx), do: %{point | x: x + dx}
end

defmodule Account do
  defstruct name: nil,
            balance: 0
end

defmodule Failed do
  defexception [:reason, message: "failed"]
end

defmodule Plain do
  defexception message: "x"
  def message(e), do: e.message
end

defmodule Recorded do
  require Record
  Record.defrecord(:user, name: "john", age: 25)
  Record.defrecordp(:hidden, [:a])
end
