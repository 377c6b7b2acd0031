# Expected: behaviours and used modules are bases; start/2 of an application is
# where the program starts.
defmodule Shop.Application do
  use Application
  @behaviour Shop.Starter

  @impl true
  def start(_type, _args) do
    children = [{Shop.Worker, name: Shop.Worker}, Shop.Repo]
    Supervisor.start_link(children, strategy: :one_for_one)
  end
end

defmodule Shop.Worker do
  use GenServer

  @impl GenServer
  def init(state), do: {:ok, state}

  @impl GenServer
  def handle_call({:get, key}, _from, state), do: {:reply, state[key], state}
  def handle_call(:all, _from, state), do: {:reply, state, state}
end
