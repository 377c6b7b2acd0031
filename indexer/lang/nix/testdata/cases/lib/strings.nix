/* Functions for strings.

   Second paragraph. */
{ lib }:
rec {
  /* Joins strings with a separator.
     Example: join "a" [] */
  join = sep: list: lib.foldl (a: b: a + sep + b) "" list;

  # expected: the same name again is kept; a forgotten semicolon costs nothing
  join = x: x
  upper = { s, locale ? "C" }: s;
  "quoted name" = 1;
  ${dynamic} = 2;
  größe = 3;
  nested = { inner = a: a; deeper = { deepest = 1; }; };
  inherit (lib) foldl;
}
