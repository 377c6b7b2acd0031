# Expected: every class and module with its container and bases; a class that
# is opened twice stands twice, each time with its own lines.

module Shop::Billing
  # Sends invoices. Knows nothing of taxes.
  class Invoice < Base::Document
    include Enumerable, Shop::Printable
    extend Cached
    prepend Traced

    LIMIT = 10
    Line = Struct.new(:price, :count, keyword_init: true) do
      def total
        price * count
      end
    end
    Coordinate = Data.define(:lat, :lng)
    Failed = Class.new(StandardError)
    Helpers = Module.new do
      def help; end
    end

    class << self
      # Makes one from a row.
      def from(row)
        new(row)
      end

      attr_reader :registry

      private

      def register; end
    end

    def self.find(id) = from(id)

    def initialize(row, total = 0, *rest, key:, other: 1, **options, &block)
      @row = row
      @client = Http::Client.new(row)
      @@count = 0
      super()
    end
  end
end

class Shop::Billing::Invoice
  def again; end
end

class ::Top; end

class Point < Struct.new(:x, :y)
  def length; end
end

class Shaped < Struct.new(:w) do
    def area; end
  end
end
