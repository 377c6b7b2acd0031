# expected: what stands before a break is found, and most of what stands behind
{
  first = 1;
  second = { a = [ 1 2; };
  third = "open;
  fourth = x: (x;
  ünï = "日本";
  ) ]
  sixth = ;
  = 7;
  eighth = { } { };
  ninth = ''open ${ {
  tenth = let y = 1; z = 2;
  /* open
  last = 1;
