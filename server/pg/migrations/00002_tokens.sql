-- +goose Up

-- A token of the servers in front of the database: the SHA-256 of a secret that nobody
-- has but its holder. Each change of the table gives the key "tokens" of pawl.server
-- another value, by which servers see that they have to read it again. Times are
-- milliseconds since 1970.
create table pawl.token (
  id      text    primary key,
  name    text    not null,
  person  boolean not null,
  role    text    not null,
  boards  text[]  not null,
  created bigint  not null,
  expires bigint, -- null: never
  revoked bigint,
  used    bigint, -- last; within a minute or so
  sum     bytea   not null
);

update pawl.meta set level = 2;

-- +goose Down
drop table pawl.token;
