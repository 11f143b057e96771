package durable

import (
	"context"
	"database/sql"
	"path/filepath"
	"testing"
	"testing/fstest"

	"github.com/stretchr/testify/require"

	"paperfs/remote/testrun"
)

// TestAStepIsAllOfItsFileUpToDown also checks statements that contain semicolons.
func TestAStepIsAllOfItsFileUpToDown(t *testing.T) {
	files := fstest.MapFS{"0001_a.sql": {Data: []byte(`-- What it is for.

-- +goose Up
CREATE TABLE a (x TEXT DEFAULT ';'); -- one; two
-- +goose StatementBegin
CREATE TRIGGER t AFTER INSERT ON a BEGIN
    UPDATE a SET x = 'first';
    UPDATE a SET x = x || ' second';
END;
-- +goose StatementEnd
CREATE VIEW v AS SELECT x FROM a;

-- +goose Down
DROP VIEW v;
DROP TABLE a;
`)}}
	path := filepath.Join(t.TempDir(), "test.db")
	db := testrun.Must(sql.Open("sqlite", path))(t)
	defer db.Close()
	db.SetMaxOpenConns(1)
	require.NoError(t, Migrate(context.Background(), db, path, files))
	testrun.Must(db.Exec("INSERT INTO a DEFAULT VALUES"))(t)
	var value string
	require.NoError(t, db.QueryRow("SELECT x FROM v").Scan(&value))
	require.Equal(t, "first second", value)
}
