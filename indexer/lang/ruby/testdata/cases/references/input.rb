# Expected: calls with the shape of their receiver and the enclosing method;
# local names are bindings and no references.
class Store
  def initialize(client)
    @client = client
    @log = Logger.new($stderr)
  end

  def save(record, retries: 3)
    user = User.find(record.id)
    user.touch
    @log.info("saving #{user.label}")
    helper record, retries
    record.items.each do |item|
      item.store!(self)
    end
    names = record.items.map(&:name)
    first, second = pair
    names.first&.upcase
    Billing::Invoice.new(user).send_to(user) { |mail| mail.deliver }
    Config::PATH
    -> (x) { x.call }
  rescue Net::Timeout, IOError => e
    e.message
    raise Failed, "no" unless retries.zero?
  end

  def helper(a, b)
    self.total += a
    super
  end

  def build(kind:, size:) = make(kind:, size:)

  def choose(value)
    case value
    in {name: String => text, age:} then text + age
    in [Integer, *rest] then rest
    end
  end
end

include Billing

class Results
  # @param name [User]
  # @return [Store, nil]
  def find(name)
    send(:helper, 1)
    @found = nil
    @found = Store.new(name)
    @found = cached
    ::Store.new.ready = true
    return @found if name
    Store.new(name)
  end

  def local
    made = Store.new(1)
    made.helper(1, 2)
    @kept = made
    made
  end

  def chosen(x)
    if x
      Store.new(x)
    else
      nil
    end
  end

  def inside = Dir.chdir("/") { Store.new(1) }
end
