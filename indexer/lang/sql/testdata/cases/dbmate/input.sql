-- migrate:up
create table a (id int)

-- migrate:down
drop table a;
--changeset jo:1-add
create table b (id int);
