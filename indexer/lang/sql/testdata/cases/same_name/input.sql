-- Expected: overloads and redefinitions are each there.
CREATE FUNCTION f(a int) RETURNS int AS 'select 1' LANGUAGE sql;
CREATE FUNCTION f(a text) RETURNS int AS 'select 2' LANGUAGE sql;
CREATE TABLE t (a int);
DROP TABLE t;
CREATE TABLE t (a int, a text);
