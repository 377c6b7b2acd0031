-- Expected: each name is a function with the statement behind it, and the
-- tables it uses; comments around the name document it.

-- name: GetAuthor :one
SELECT * FROM authors WHERE id = $1 LIMIT 1;

-- Lists all of them.
-- name: ListAuthors :many
-- Sorted by name.
SELECT a.*, b.title FROM authors a LEFT JOIN app.books b ON b.author = a.id ORDER BY name;

-- name: CreateAuthor :execresult
INSERT INTO authors (name, bio) VALUES (sqlc.arg(name), $2) ON CONFLICT (id) DO UPDATE SET name = excluded.name RETURNING *;

/* name: RemoveAuthor :exec */
DELETE FROM authors WHERE id = ? FOR UPDATE;

-- :name find-user :? :1
-- :doc Finds one.
select * from users where id = :id

-- name: update-user!
update users set name = :name where it is distinct from other
