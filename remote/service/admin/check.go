package admin

import (
	"context"
	"path/filepath"

	"paperfs/remote/service/datadir"
	"paperfs/remote/service/filestore"
	"paperfs/remote/service/sqlitestore"
	"paperfs/remote/service/store"
)

// Check compares records and content. The service may keep running: what changes during the check
// is checked again. Without Fix it changes no file.
func (m *Admin) Check(ctx context.Context, o CheckOptions) (*CheckReport, error) {
	if contents, ok := m.external.(Sized); ok {
		return CheckApart(ctx, m.store, contents, o)
	}
	if m.contentErr != nil {
		return nil, m.contentErr
	}
	c := &check{admin: m, options: o, read: m.readPassive, files: filestore.ReadOnly(filepath.Join(m.data, datadir.ContentDir)), workers: 1}
	if o.Fix {
		var err error
		if c.files, err = m.contents(); err != nil {
			return nil, err
		}
		c.read = m.store.Read
	}
	c.contents = c.files
	holdings, err := c.records(ctx)
	if err != nil {
		return nil, datadir.ExplainDamage(m.data, err)
	}
	if err := c.holdings(ctx, holdings); err != nil {
		return nil, err
	}
	named := map[string]bool{}
	for _, h := range holdings {
		named[h.Key] = true
	}
	return &c.report, c.orphans(ctx, named)
}

// readPassive reads the records without changing any file, including the log that a killed
// service left.
func (m *Admin) readPassive(ctx context.Context, f func(store.Reader) error) error {
	return sqlitestore.ReadPassive(ctx, filepath.Join(m.data, datadir.DatabaseFile), f)
}
