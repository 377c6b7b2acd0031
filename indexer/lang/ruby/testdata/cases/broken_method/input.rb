# Expected: `broken` does not parse; it is there by its header, and everything
# around it keeps its container.
module Outer
  module Middle
    class First
      def before; 1; end

      def broken(a, b)
        value = (a + [b
        other = {
      end

      def after; 2; end
    end

    class Second
      def fine; end
    end
  end
end

def top; end
