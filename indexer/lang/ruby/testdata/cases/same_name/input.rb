# Expected: each of the same names exactly once with its own lines: a method
# and a function `run`, two conditional versions, a redefinition.
class Task
  def run; end
  def self.run; end
end

def run; end

if RUBY_VERSION > "3"
  def version; 3; end
else
  def version; 2; end
end

def twice; 1; end
def twice; 2; end

Task.new.run
run
