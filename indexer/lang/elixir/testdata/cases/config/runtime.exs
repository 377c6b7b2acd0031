# Expected: each configured key, in the application it belongs to.
import Config

config :shop, Shop.Repo,
  url: System.get_env("URL"),
  pool_size: 10

config :shop, ecto_repos: [Shop.Repo], debug: true
config :logger, :console, format: "$time"

if config_env() == :prod do
  config :shop, Shop.Endpoint, server: true
end

import_config "#{config_env()}.exs"
