-- +goose Up

-- Browsers that are signed in to the publisher's page, and links that sign one in (once). Only the digest of the secret
-- is here. Times are in seconds since 1970; ends is when a session is over that is not used before.
CREATE TABLE session (
    digest  bytea   NOT NULL PRIMARY KEY,
    account bigint  NOT NULL REFERENCES account (id) ON DELETE CASCADE,
    once    boolean NOT NULL,
    agent   text    COLLATE "C" NOT NULL,
    began   bigint  NOT NULL,
    used    bigint  NOT NULL,
    ends    bigint  NOT NULL
);
CREATE INDEX session_account ON session (account);
-- +goose StatementBegin
CREATE FUNCTION session_key() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    DELETE FROM session WHERE account = NEW.id;
    RETURN NULL;
END $$;
-- +goose StatementEnd
CREATE TRIGGER session_key AFTER UPDATE ON account FOR EACH ROW WHEN (NEW.key_hash <> OLD.key_hash) EXECUTE FUNCTION session_key();
