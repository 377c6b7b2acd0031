# Expected: endless methods, anonymous arguments, shorthand hashes and
# patterns lose nothing; `puts` without parentheses in an endless method is
# newer than the grammar and costs nothing but itself.
def all(*, **, &) = target(*, **, &)
def command = puts "x"
def after_command = 1

config => {name:}
result = {name:, other: it}
numbers.map { it + _1 }
point in [Integer | Float => x, _]
range = (1..)

class Last
  def fine = true
end
