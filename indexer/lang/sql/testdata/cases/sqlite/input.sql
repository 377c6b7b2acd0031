-- Expected: columns without types, BEGIN as a transaction, triggers with bodies.
PRAGMA foreign_keys=OFF;
BEGIN TRANSACTION;
CREATE TABLE IF NOT EXISTS "notes" (id INTEGER PRIMARY KEY, body, key TEXT, [at] DATETIME DEFAULT (datetime('now')), user REFERENCES users);
CREATE VIRTUAL TABLE search USING fts5(body, content='notes');
CREATE TRIGGER notes_ai AFTER INSERT ON notes BEGIN
  INSERT INTO search(rowid, body) VALUES (new.id, CASE WHEN 1 THEN 'a' END);
  DELETE FROM notes WHERE id < 0;
END;
CREATE INDEX notes_user ON notes(user) WHERE user IS NOT NULL;
COMMIT;
