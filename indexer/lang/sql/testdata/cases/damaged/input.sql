-- Expected: damage costs what it stands in.
CREATE TABLE first (id int, name text DEFAULT 'open, note text);
CREATE TABLE second (
  id int,
  other int

CREATE TABLE third (id int);
CREATE TABLE "open (id int);
CREATE TABLE fourth (id int);
<<<<<<< HEAD
CREATE TABLE fifth (id int);
=======
CREATE TABLE fifth (id bigint);
>>>>>>> x
CREATE FUNCTION f() RETURNS int AS $$ SELECT 1;
CREATE TABLE sixth (id int);
CREATE PROCEDURE p() AS
BEGIN
  SELECT 1;
CREATE TABLE seventh (id int);
CREATE TABLE (id int);
CREATE
/* open
CREATE TABLE eighth (id int, );
CREATE TABLE ninth (id
