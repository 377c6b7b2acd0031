# Expected: a test; the examples are no definitions, a helper method in the
# block is one inside a body.
require 'spec_helper'

RSpec.describe Account do
  let(:account) { Account.new("a") }

  def helper_in_block; end

  describe "#open" do
    it "opens" do
      expect(account.open).to eq(true)
    end
  end
end
