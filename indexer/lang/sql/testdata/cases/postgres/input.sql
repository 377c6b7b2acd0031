-- Orders and who made them. Expected: tables with columns, keys as references,
-- COMMENT ON as documentation; what stands in dollar quotes defines nothing,
-- except in a DO block.

CREATE EXTENSION IF NOT EXISTS pgcrypto;
CREATE SCHEMA IF NOT EXISTS shop;

-- Who buys.
CREATE TABLE IF NOT EXISTS shop.customers (
    id          bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    email       character varying(255) NOT NULL UNIQUE, -- Where letters go.
    -- Money in cents.
    balance     numeric(10, 2) DEFAULT 0.0 CHECK (balance >= 0),
    created_at  timestamp with time zone NOT NULL DEFAULT now(),
    "order"     text[] DEFAULT ARRAY['a,b', 'c'],
    CONSTRAINT customers_email_check CHECK (email LIKE '%@%')
);
COMMENT ON TABLE shop.customers IS 'People''s accounts.';
COMMENT ON COLUMN shop.customers.id IS 'Never reused.';

create unlogged table orders (
    id uuid primary key,
    customer_id bigint references shop.customers (id) on delete cascade,
    parent uuid,
    foreign key (parent) references orders(id),
    unique (customer_id, parent)
) inherits (base_orders);

CREATE TABLE orders_2024 PARTITION OF orders FOR VALUES FROM ('2024-01-01') TO ('2025-01-01');

CREATE TYPE state AS ENUM ('open', 'paid');
CREATE TYPE pair AS (x integer, y text);
CREATE DOMAIN email AS text CHECK (VALUE ~ '@');
CREATE SEQUENCE IF NOT EXISTS seq START 1;
CREATE UNIQUE INDEX CONCURRENTLY IF NOT EXISTS orders_customer ON ONLY orders USING btree (customer_id);
CREATE INDEX ON orders (parent);

CREATE OR REPLACE VIEW open_orders AS
WITH recent AS (SELECT * FROM orders WHERE extract(year FROM created_at) = 2024)
SELECT r.*, c.email FROM recent r JOIN shop.customers c ON c.id = r.customer_id, lateral (select 1) x;
CREATE MATERIALIZED VIEW totals AS SELECT sum(x) FROM orders o, items i WITH NO DATA;

-- Adds up.
CREATE OR REPLACE FUNCTION shop.total(customer bigint, since date DEFAULT '2020-01-01', VARIADIC more int[])
RETURNS TABLE (id uuid, total numeric) LANGUAGE plpgsql AS $body$
BEGIN
    CREATE TABLE not_found (a int);
    RETURN QUERY SELECT 'x;y' FROM orders;
END;
$body$;
CREATE PROCEDURE tidy(INOUT n integer) LANGUAGE SQL AS 'DELETE FROM orders; SELECT 1';
CREATE FUNCTION one() RETURNS int LANGUAGE sql BEGIN ATOMIC SELECT 1; SELECT 2; END;
CREATE TRIGGER orders_touch BEFORE UPDATE ON orders FOR EACH ROW EXECUTE FUNCTION touch();
CREATE POLICY own ON orders FOR SELECT USING (true);

DO $$ BEGIN
    CREATE TYPE level AS ENUM ('a');
EXCEPTION WHEN duplicate_object THEN null;
END $$;

ALTER TABLE ONLY orders ADD COLUMN IF NOT EXISTS note text, ADD COLUMN total numeric(10,2), DROP COLUMN parent;
ALTER TABLE orders ADD CONSTRAINT orders_fk FOREIGN KEY (customer_id) REFERENCES shop.customers(id);
ALTER TABLE orders RENAME COLUMN note TO remark;
ALTER TABLE orders RENAME TO purchases;
CREATE TEMP TABLE scratch AS SELECT * FROM purchases;
INSERT INTO orders VALUES (1, 'CREATE TABLE no (a int);');
