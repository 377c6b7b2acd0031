# Expected: the end of `broken` is missing; the methods below stay methods of
# the class.
class First
  def before
    1
  end

  def broken
    if ready
      2

  def after
    3
  end
end

class Second
  def fine; end
end
