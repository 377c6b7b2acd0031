# Expected: the project with its functions; the keys of aliases are targets.
defmodule Shop.MixProject do
  use Mix.Project

  @version "1.0.0"

  def project do
    [app: :shop, version: @version, aliases: aliases(), deps: deps()]
  end

  def application, do: [mod: {Shop.Application, []}]

  defp deps do
    [
      {:phoenix, "~> 1.7"},
      {:credo, "~> 1.6", only: [:dev], runtime: false}
    ]
  end

  defp aliases do
    [
      setup: ["deps.get", "ecto.setup"],
      "ecto.setup": ["ecto.create", "ecto.migrate"],
      test: &test/1
    ]
  end
end
