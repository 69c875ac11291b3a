-- +goose Up

-- Which programs can use these tables. A migration that takes something away, or gives it
-- another meaning, raises least to the level of the first program that does without.
create table pawl.meta (
  level bigint not null,
  least bigint not null
);
insert into pawl.meta values (6, 6);

-- What belongs to the servers in front of the database.
create table pawl.server (
  key   text primary key,
  value text not null
);

-- A board. Its row is locked by each writer, so that writers of one board follow one
-- another. It is written with every commit: most of its page is left free, so that the
-- new version stays beside the old one and no index changes.
create table pawl.board (
  id      bigint generated always as identity primary key,
  name    text   not null unique,
  rev     bigint not null default 0, -- revision of the last change set
  origin  bigint not null default 0, -- short revisions count from here
  last_id bigint not null default 0,
  trimmed bigint not null default 0, -- history up to here is not kept
  epoch   bigint not null default 0, -- how often revisions and ids jumped ahead
  proved  bigint not null default 0, -- written to see a commit acknowledged
  copying text -- not null: the board is an unfinished copy of another one, and this names the copying; nobody but that reads or writes it
) with (fillfactor = 20);

-- A task. doc is the whole of it, as package pawl encodes it, but for what is derived.
-- The other columns are for search and order. A row without a doc stands for a task that
-- does not exist, and that edges or children name. Times are milliseconds since 1970.
create table pawl.task (
  board         bigint   not null,
  id            bigint   not null,
  rev           bigint   not null, -- of the commit that wrote the row
  doc           text,
  status        text     not null,
  priority      smallint not null,
  rank_u        smallint not null, -- minus the urgency: the most urgent first
  rank_h        integer  not null, -- minus the height
  free          boolean  not null, -- nothing but an owner keeps it from being started
  owner         text     not null,
  claim         text,              -- as JSON; null: none
  session       text     not null, -- of the claim
  clone         text     not null, -- of the claim
  lease_until   bigint,            -- null: the claim does not end
  expired       integer  not null,
  held          boolean  not null,
  parent        bigint   not null,
  children      bigint[] not null,
  open_children integer  not null,
  blocks        bigint[] not null,
  blockers      bigint[] not null,
  blocked_by    bigint[] not null,
  labels        text[]   not null,
  ref           text     not null,
  was           bigint[] not null,
  sign          bigint   not null, -- when it last changed, or its lease was last renewed
  done          bigint   not null, -- place in the order of completion; 0: not completed
  done_at       bigint,
  search        text     not null, -- subject and description in small letters, 0x1f between
  unshown       boolean  not null default false, -- the task is completed, and nothing shows that it is done
  primary key (board, id)
) with (fillfactor = 85, autovacuum_vacuum_scale_factor = 0.02, autovacuum_analyze_scale_factor = 0.05);

create index task_ready   on pawl.task (board, rank_u, rank_h, id) include (owner) where free;
create index task_open    on pawl.task (board, id) where doc is not null and status <> 'completed';
create index task_done    on pawl.task (board, done, id) where doc is not null;
create index task_lease   on pawl.task (board, lease_until) where lease_until is not null;
create index task_parent  on pawl.task (board, parent, id) where parent <> 0;
create index task_owner   on pawl.task (board, owner) where owner <> '';
create index task_working on pawl.task (board, owner) where status = 'in_progress';
create index task_kept    on pawl.task (board, owner) where status = 'in_progress' and (lease_until is null or session = '');
create index task_session on pawl.task (board, session) where session <> '';
create index task_unshown on pawl.task (board, done, id) where unshown;
create index task_ref     on pawl.task (board, ref) where ref <> '';

-- How many tasks of a board are free, by owner: counting them takes as long as there are
-- many.
create table pawl.free_count (
  board bigint not null,
  owner text   not null,
  n     bigint not null,
  primary key (board, owner)
);

-- A change set, as package pawl encodes it. nonce is that of its commit: who lost the
-- connection finds out by it whether the commit happened.
create table pawl.change (
  board  bigint   not null,
  rev    bigint   not null,
  nonce  uuid     not null,
  undoes boolean  not null,
  tasks  bigint[] not null,
  doc    text     not null,
  primary key (board, rev)
);
create index change_undoes on pawl.change (board, rev) where undoes;

-- A change of 1,000 tasks is compressed in a fraction of the time, where PostgreSQL can:
-- from version 14 on, unless it was built without.
-- +goose StatementBegin
do $$
begin
  alter table pawl.change alter column doc set compression lz4;
exception when syntax_error or feature_not_supported or invalid_parameter_value then
  null;
end
$$;
-- +goose StatementEnd

-- The change sets of one task.
create table pawl.touched (
  board bigint not null,
  task  bigint not null,
  rev   bigint not null,
  primary key (board, task, rev)
);

-- What a request with an op id led to. It is kept for a day and a bit.
create table pawl.op (
  board  bigint not null,
  op     text   not null,
  result bytea,
  at     bigint not null,
  primary key (board, op)
);
create index op_at on pawl.op (board, at);

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
