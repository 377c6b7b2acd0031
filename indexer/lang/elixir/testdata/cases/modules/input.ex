# Expected: every module with its last name and, as container, the names before
# it; a nested module stands in the full name of the outer one; functions have
# the full name of their module as container.
defmodule Shop.Billing.Invoice do
  @moduledoc """
  Sends invoices. More of it.

  Further paragraph.
  """

  @timeout 5_000
  # How often a failed delivery is tried again.
  @retries 3

  defmodule Line do
    @moduledoc false
    def total(line), do: line.price * line.count
  end

  defmodule Deep.Nested do
    def here, do: :ok
  end

  defmodule __MODULE__.Explicit do
    def there, do: @retries
  end

  def send_all(invoices), do: Enum.each(invoices, &deliver(&1, @timeout))

  defp deliver(invoice, timeout) do
    {invoice, timeout}
  end
end

defmodule :erlang_style do
  def run, do: :ok
end

defmodule Elixir.Shop.Absolute do
end

# The name is computed: the functions are found, the module is not.
defmodule Module.concat(Shop, "Made") do
  def made, do: 1
end
