# Expected: a test; each test is a private function with its text as name.
defmodule AccountTest do
  use ExUnit.Case, async: true

  alias Shop.Account

  setup do
    account = Account.open()
    {:ok, account: account}
  end

  describe "withdraw/2" do
    setup [:create]

    # Money does not appear.
    test "takes money", %{account: account} do
      assert Account.withdraw(account, 5) == :ok
    end

    test "fails with \"too much\"" do
      assert_raise ArgumentError, fn -> Account.withdraw(nil, 1) end
    end

    test "is pending"
  end

  test "name #{@dynamic} with interpolation" do
    helper(1)
  end

  defp helper(x), do: x
  defp create(_), do: :ok
end
