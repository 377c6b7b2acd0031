# Expected: the parameters of `broken` do not parse; its name is still there,
# and so is all around it.
module Outer
  class First
    def before; 1; end

    def broken(a, = 3, ((
      a
    end

    def after; 2; end
  end
end

def top; end
