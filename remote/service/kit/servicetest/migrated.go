package servicetest

import (
	"context"
	"os"
	"path/filepath"
	"sync"
	"testing"

	"paperfs/remote/service/datadir"
	"paperfs/remote/service/sqlitestore"
)

// migrated is a database without records whose schema is up to date: migrating one costs three
// times what everything else in a first start does.
var migrated = sync.OnceValues(func() ([]byte, error) {
	dir, err := os.MkdirTemp("", "paperfs-test-")
	if err != nil {
		return nil, err
	}
	defer os.RemoveAll(dir)
	file := filepath.Join(dir, datadir.DatabaseFile)
	s, err := sqlitestore.Open(context.Background(), file)
	if err != nil {
		return nil, err
	}
	if err := s.Close(); err != nil {
		return nil, err
	}
	return os.ReadFile(file)
})

// Migrate puts a database with the newest schema into a data directory that is missing or empty:
// what a first start leaves that is interrupted after the migration. It is not on the disk yet:
// tests of power cuts start without.
func Migrate(t testing.TB, data string) {
	t.Helper()
	if os.Getenv(Engine) != "" {
		return // the records are elsewhere
	}
	if err := os.MkdirAll(data, 0o700); err != nil {
		return // the service says so
	}
	if entries, err := os.ReadDir(data); err != nil || len(entries) > 0 {
		return
	}
	database, err := migrated()
	if err != nil {
		t.Fatalf("a database with the newest schema: %v", err)
	}
	if err := os.WriteFile(filepath.Join(data, datadir.DatabaseFile), database, 0o600); err != nil {
		t.Fatal(err)
	}
}
