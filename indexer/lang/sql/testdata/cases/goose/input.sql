-- +goose Up
-- +goose StatementBegin
-- Expected: directions are targets; definitions between StatementBegin and
-- StatementEnd are whole.
CREATE FUNCTION f() RETURNS trigger AS '
BEGIN
  RETURN NEW;
END; ' LANGUAGE plpgsql;
-- +goose StatementEnd
CREATE TABLE a (id int);
ALTER TABLE a ADD b int;

-- +goose Down
DROP TABLE a;
