# Expected: the file ends inside a method; the classes around it and the
# methods before it are there, private ones too.
module Outer
  class First < Base
    def before; 1; end

    private

    # Documented.
    def hidden(a)
      a
    end

    def cut
      value = call(1,
