# Expected: types with their definition, callbacks as abstract methods with
# parameters and result, the spec of a function as its signature and the source
# of its types; references to types that are not of the language itself.
defmodule Types do
  @typedoc "A user id."
  @type id :: pos_integer | String.t()
  @opaque secret :: {binary, Other.Key.t()}
  @typep internal(a) :: list(a) | id
  @type t :: %__MODULE__{
          id: id,
          tags: [String.t()]
        }
  defstruct [:id, tags: []]

  @doc "Called for each."
  @callback handle(event :: Event.t(), id) :: {:ok, t} | {:error, term}
  @callback stop() :: :ok
  @macrocallback expand(Macro.t()) :: Macro.t()
  @optional_callbacks stop: 0

  @spec find(id, keyword) :: {:ok, t()} | :error
  def find(user_id, opts \\ []), do: {user_id, opts}

  @spec map(t, (id -> result)) :: result when result: Result.t()
  def map(x, fun), do: fun.(x.id)

  @spec twice(integer) :: integer
  @spec twice(float) :: float
  def twice(x), do: x * 2

  @spec without_definition(Lost.t()) :: id
end
