package service

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"unicode"

	"paperfs/remote/service/sqlitestore"
	"paperfs/remote/service/store"
	"paperfs/remote/service/value"
)

// Admin changes what no operation of the service changes. It works beside the
// process that serves the data directory, which sees each change at once.
type Admin struct {
	store    store.Store
	data     string
	snapshot func(ctx context.Context, file string) error // writes a copy of the records
}

// OpenAdmin opens a data directory that a service has set up.
func OpenAdmin(data string) (*Admin, error) {
	file := filepath.Join(data, databaseFile)
	if _, err := os.Stat(file); errors.Is(err, fs.ErrNotExist) {
		return nil, fmt.Errorf("%s holds no service data; `paperfs serve --data %s` sets it up", data, data)
	} else if err != nil {
		return nil, err
	}
	s, err := sqlitestore.OpenExisting(context.Background(), file)
	if err != nil {
		return nil, err
	}
	return &Admin{s, data, s.Snapshot}, nil
}

// Close ends the work.
func (m *Admin) Close() error { return m.store.Close() }

func (m *Admin) read(f func(store.Reader) error) error {
	return m.store.Read(context.Background(), f)
}

func (m *Admin) write(f func(store.Writer) error) error {
	return m.store.Write(context.Background(), f)
}

// SetReadOnly opens or ends a maintenance window: while it lasts, whatever
// changes something answers READONLY.
func (m *Admin) SetReadOnly(on bool) error {
	return m.write(func(tx store.Writer) error { return tx.SetReadOnly(on) })
}

func tenantNamed(tx store.Reader, name string) (store.Tenant, error) {
	t, err := tx.TenantByName(name)
	if errors.Is(err, store.ErrNotFound) {
		return t, fmt.Errorf("there is no tenant %s", name)
	}
	return t, err
}

// checkLabel holds names of tenants and accounts to what can be typed, shown,
// and sent in a form.
func checkLabel(what, name string) error {
	if name == "" || len(name) > 255 || !value.Text(name) || containsBlankOrControl(name) {
		return fmt.Errorf("%q is no name for the %s: 1 to 255 bytes without blanks and control characters", name, what)
	}
	return nil
}

func containsBlankOrControl(s string) bool {
	for _, r := range s {
		if unicode.IsSpace(r) || unicode.IsControl(r) {
			return true
		}
	}
	return false
}
