# Expected: the module, and the task that it defines as a target.
defmodule Mix.Tasks.Shop.Gen.LiveView do
  @shortdoc "Generates a live view"
  @moduledoc """
  Generates a view, at length.
  """
  use Mix.Task

  @switches [force: :boolean]

  @impl true
  def run(args) do
    OptionParser.parse(args, strict: @switches)
  end
end

defmodule Mix.Tasks.NoTask do
  def run(args), do: args
end
