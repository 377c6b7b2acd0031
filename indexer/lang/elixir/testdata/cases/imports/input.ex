# Expected: every alias, import, require and use; groups in braces one by one,
# __MODULE__ with the name of the module, as: as alias, only: as names.
defmodule Imports.Here do
  use GenServer, restart: :temporary
  use Web, :controller
  alias Foo.Bar
  alias Foo.{First, Second.Third}
  alias Very.Long.Name, as: Short
  alias __MODULE__.Local
  alias __MODULE__, as: Self
  alias __MODULE__.{A, B}
  import Ecto.Query
  import Kernel, except: [length: 1]
  import Foo.Helpers, only: [help: 1, format: 2]
  require Logger
  require(Other)
  import :lists, only: [map: 2]

  def inside do
    alias In.Body
    Body.run()
  end
end
