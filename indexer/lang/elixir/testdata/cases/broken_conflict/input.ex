# Expected: a merge conflict costs the function that it stands in its body at most.
defmodule Conflict do
  def before(x), do: x

  def torn(x) do
<<<<<<< HEAD
    x + 1
=======
    x + 2
>>>>>>> topic
  end

  def behind(x), do: x

  @list [
    1,
<<<<<<< HEAD
    2
=======
    3
>>>>>>> topic
  ]

  def last(x), do: x
end
