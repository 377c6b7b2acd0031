# Expected: what stands in a quote is defined elsewhere: it counts as inside the
# body of the macro, its documentation does not leak to the next definition.
defmodule Quoted do
  defmacro __using__(opts) do
    quote do
      use Other
      import Quoted, only: [go: 1]
      @behaviour Quoted
      @doc "Generated."
      def generated(x), do: x
      defp hidden, do: unquote(opts)
      defmodule Inner do
        def deep, do: 1
      end
      @doc "Leaks not."
    end
  end

  def go(x), do: x
end
