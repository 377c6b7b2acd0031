class A
{
void one()
{
call()
}
  def two( x,
y ) { [
1, 2 ] }
      int three =
      4
private
static final String FOUR = '4'; int five; void six() {}
}
def seven(){}
class B {}; class C { def eight }
