-- +goose Up
lock table pawl.board in access exclusive mode;

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

update pawl.meta set level = 4;

-- +goose Down
update pawl.meta set level = 3;
