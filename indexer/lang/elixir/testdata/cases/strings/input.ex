# Expected: Strings.real and Strings.after_all only; nothing from strings.
defmodule Strings do
  @text """
  defmodule Fake do
    def fake(x), do: x
  end
  """
  def real do
    ~s(def fake2, do: "x")
    ~S{def fake3 do}
    ~r/def fake4(\/)/
    'def fake5'
    "def fake6 #{1 + 1} end"
    ?d
    ~w[def fake7]a
    <<"def", 1::8>>
    :"def fake8"
    ["def fake9": 1]
  end

  def after_all, do: 1
end
