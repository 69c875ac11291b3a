-- +goose Up

-- Todo lists stay on the machines of their sessions.
drop table pawl.session, pawl.session_mark;

update pawl.meta set level = 6, least = 6;
