# Expected: routes are references to the action of the controller.
defmodule Web.Router do
  use Web, :router

  pipeline :browser do
    plug :accepts, ["html"]
    plug Web.Auth, role: :admin
  end

  scope "/", Web do
    pipe_through :browser

    get "/", PageController, :home
    live "/users", UserLive.Index, :index
    resources "/posts", PostController, only: [:show]
  end
end
