-- Expected: names, text and comments in any script.
-- 注文の表。次の文。
CREATE TABLE 注文 (
  "Größe" text, -- Maße.
  naïve text DEFAULT '😀'
);
CREATE VIEW "Übersicht" AS SELECT * FROM 注文;
