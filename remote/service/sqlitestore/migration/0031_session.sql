-- +goose Up

-- Browsers that are signed in to the publisher's page, and links that sign one in (once). Only the digest of the secret
-- is here. Times are in seconds since 1970; ends is when a session is over that is not used before.
CREATE TABLE session (
    digest  BLOB    NOT NULL PRIMARY KEY,
    account INTEGER NOT NULL REFERENCES account (id) ON DELETE CASCADE,
    once    INTEGER NOT NULL,
    agent   TEXT    NOT NULL,
    began   INTEGER NOT NULL,
    used    INTEGER NOT NULL,
    ends    INTEGER NOT NULL
) STRICT, WITHOUT ROWID;
CREATE INDEX session_account ON session (account);
-- +goose StatementBegin
CREATE TRIGGER session_key AFTER UPDATE OF key_hash ON account WHEN NEW.key_hash <> OLD.key_hash BEGIN
    DELETE FROM session WHERE account = NEW.id;
END;
-- +goose StatementEnd
