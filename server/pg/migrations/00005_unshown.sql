-- +goose Up
lock table pawl.board in access exclusive mode;

-- The task is completed, and nothing shows that it is done.
alter table pawl.task add column unshown boolean not null default false;

-- Which of those that ask for something these are, a program finds out that reads their
-- documents: all of them are looked at until they are written again.
update pawl.task set unshown = true where status = 'completed' and doc ~ '"(checks|accept|evidence)":';

create index task_unshown on pawl.task (board, done, id) where unshown;

update pawl.meta set level = 5;

-- +goose Down
alter table pawl.task drop column unshown;
