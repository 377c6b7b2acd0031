# Expected: the section words hold for what follows in the same class, also
# after a definition was named by private :name; a singleton method is public
# until private_class_method names it.
class Account
  def open; end

  private def inline; end

  private attr_reader :secret

  def self.build; end
  private_class_method :build

  SALT = 1
  private_constant :SALT

  def later; end
  def listed; end
  private :later, :listed

  protected

  def compare; end

  private

  def hidden; end
  attr_accessor :state

  # An inner class starts public.
  class Inner
    def free; end
  end

  def still_hidden; end

  public

  def seen; end
end

module Tools
  module_function

  # A function of the module.
  def clean(text) = text.strip
end

module Mixed
  def one; end
  def two; end
  module_function :one
end
