# Expected: Real and its method only. What looks like code in heredocs,
# strings, comments and behind __END__ is none; calls in interpolations are.
TEXT = <<~RUBY.freeze
  class Fake
    def fake; end
  end
  #{interpolated_call}
RUBY

=begin
class Commented; end
=end

class Real
  def run
    system("def no; end", <<-A, <<~'B')
      class A1; end
    A
      class B1 #{not_called}; end
    B
    %w[class def module] + %q(def q; end).lines
  end
end

__END__
class Data; end
