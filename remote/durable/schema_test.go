package durable

import (
	"context"
	"database/sql"
	"path/filepath"
	"testing"
	"testing/fstest"

	"github.com/stretchr/testify/require"
	_ "modernc.org/sqlite" // the driver "sqlite"

	"paperfs/remote/testrun"
)

func TestOlderSchemaIsCopiedThenMigrated(t *testing.T) {
	step := func(statement string) *fstest.MapFile {
		return &fstest.MapFile{Data: []byte("-- +goose Up\n" + statement + ";\n")}
	}
	files := fstest.MapFS{"0001_a.sql": step("CREATE TABLE a (x TEXT)"), "0003_c.sql": step("CREATE TABLE c (x TEXT)")}
	path := filepath.Join(t.TempDir(), "test.db")
	db := testrun.Must(sql.Open("sqlite", path))(t)
	defer db.Close()
	db.SetMaxOpenConns(1)
	ctx := context.Background()
	require.NoError(t, Migrate(ctx, db, path, files))
	require.NoFileExists(t, path+".before-0")
	testrun.Must(db.Exec("INSERT INTO a VALUES ('kept')"))(t)

	// One step arrives late, and one is newer.
	files["0002_b.sql"] = step("CREATE TABLE b (x TEXT)")
	files["0004_d.sql"] = step("ALTER TABLE a RENAME COLUMN x TO y")
	require.NoError(t, Migrate(ctx, db, path, files))
	var value string
	require.NoError(t, db.QueryRow("SELECT y FROM a").Scan(&value))
	require.Equal(t, "kept", value)
	testrun.Must(db.Exec("INSERT INTO b VALUES ('there')"))(t)
	require.NoError(t, Migrate(ctx, db, path, files), "nothing is left to do")
	require.NoFileExists(t, path+".before-4")

	old := testrun.Must(sql.Open("sqlite", path+".before-3"))(t)
	defer old.Close()
	require.NoError(t, old.QueryRow("SELECT x FROM a").Scan(&value))
	require.Equal(t, "kept", value)
}

func TestFailedMigrationKeepsTheOldSchema(t *testing.T) {
	files := fstest.MapFS{"0001_a.sql": {Data: []byte("-- +goose Up\nCREATE TABLE a (x TEXT);\n")}}
	path := filepath.Join(t.TempDir(), "test.db")
	db := testrun.Must(sql.Open("sqlite", path))(t)
	defer db.Close()
	db.SetMaxOpenConns(1)
	require.NoError(t, Migrate(context.Background(), db, path, files))
	files["0002_b.sql"] = &fstest.MapFile{Data: []byte("-- +goose Up\nCREATE TABLE b (x TEXT);\nINSERT INTO nowhere VALUES (1);\n")}
	require.Error(t, Migrate(context.Background(), db, path, files))
	_, err := db.Exec("SELECT 1 FROM b")
	require.Error(t, err, "half a migration is left")
}
