# Expected: a test by its superclass.
class AccountTest < Minitest::Test
  def setup
    @account = Account.new
  end

  def test_opens
    assert @account.open
  end
end
