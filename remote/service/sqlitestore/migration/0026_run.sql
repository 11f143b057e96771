-- +goose Up

-- Who writes this database: a row for each process, with its first change. first is the number that its first row of the
-- log of changes could have. A mark names the newest run of its time, so a mark from after a state that was restored
-- or copied names a run that is not here, or a number from which a later run began. After a tenant is removed, its numbers
-- may be given again.
CREATE TABLE run (
    number INTEGER PRIMARY KEY AUTOINCREMENT,
    id     TEXT    NOT NULL UNIQUE,
    first  INTEGER NOT NULL
) STRICT;
INSERT INTO run (id, first) SELECT hex(randomblob(16)), coalesce(max(number), 0) + 1 FROM event;
-- +goose StatementBegin
CREATE TRIGGER run_tenant_deleted AFTER DELETE ON tenant BEGIN
    INSERT INTO run (id, first) SELECT hex(randomblob(16)), coalesce(max(number), 0) + 1 FROM event;
END;
-- +goose StatementEnd
