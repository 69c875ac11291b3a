-- +goose Up
lock table pawl.board in access exclusive mode;

-- Not null: the board is an unfinished copy of another one, and this names the copying.
-- Nobody but that reads or writes it.
alter table pawl.board add column copying text;

update pawl.meta set level = 3;

-- +goose Down
alter table pawl.board drop column copying;
