# Expected: local and remote calls, pipes, captures, struct literals with their
# keys, reads of attributes, fields of values; no reference to what a parameter
# or a match binds.
defmodule References do
  @table :users

  def run(conn, %{"id" => id} = params) do
    user = Accounts.get_user!(id)
    {:ok, token} = Token.sign(user, @table)
    [first | _] = list(params)

    conn
    |> assign(:user, user)
    |> Web.Render.page("show.html", first)

    Enum.map(user.posts, &Post.title/1)
    Enum.map(user.posts, &shorten/1)
    Enum.each(token, fn {k, v} -> store(k, v.name) end)
    :ets.insert(@table, %User{name: "x", age: age(user)})
    %User{user | name: "y"}
    callback = fn x -> x end
    callback.(1)
    __MODULE__.Sub.go()
    __MODULE__.run(1, 2)
    apply(Mod, :fun, [])

    with {:ok, a} <- fetch(id),
         %Result{value: b} <- other(a) do
      combine(a, b)
    else
      {:error, reason} -> fail(reason)
    end

    for x <- user.items, x > 1, into: %{}, do: pair(x)

    case conn do
      %Plug.Conn{status: s} when s > 200 -> warn(s)
      ^user -> nil
      _ -> "text #{interpolated(conn)} and #{user.name}"
    end

    if changed?(conn), do: yes(), else: no()

    try do
      risky()
    rescue
      e in DBConnection.Error -> log(e)
    catch
      :exit, why -> log(why)
    end
  end

  get "/users/:id", UserController, :show
end
