# Expected: names and lines behind text outside ASCII are exact. 名前 😀 é
defmodule Shop.Unicode do
  @moduledoc "Zählt Größen. 二文目。"
  @gruß "héllo 😀"

  def zähle(größe), do: größe + 1

  def 名前(x), do: x

  def nach, do: @gruß
end
