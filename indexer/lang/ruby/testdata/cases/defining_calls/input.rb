# Expected: what these calls define is there with the right kind; the names
# are those of the methods.
class Order
  extend Forwardable

  # The state of the order.
  attr_accessor :state, "note"
  attr_reader :id
  attr_writer :cache
  class_attribute :defaults

  define_method(:total) { |tax, (rate, rest)| tax }
  define_method("item_#{kind}") { |x| x } # no literal name: no definition
  define_singleton_method(:reset) { }
  alias size total
  alias_method :empty?, :blank?
  def_delegators :@items, :each, :first
  def_delegator :@items, :last, :final
  delegate :name, :email, to: :customer
  has_many :lines, class_name: "Line"
  before_action :authenticate

  def [](index) = index
  def []=(index, value); end
  def ==(other) = other.id == id
  def state!; end
  def valid? = true
  def owner=(value)
    @owner = value
  end
end

# ActiveSupport::Concern: the blocks belong to the module.
module Trackable
  included do
    has_one :track
    def tracked; end
  end
  class_methods do
    def tracks; end
  end
end

Order.class_eval do
  def added; end
end

made = Class.new(Order) do
  attr_reader :local
  def inside; end
end

class Made < Options.new(:host, :port)
  extend self
  def_node_matcher :call_of?, "(send nil? :a)"
  scope :open, -> { where(open: true) }
end

Built = Options.new(:user) do
  def login = user
end

Settings = Options.new(:plain)
