package admin

import (
	"context"
	"errors"

	"paperfs/remote/service/generate"
	"paperfs/remote/service/sqlitestore"
	"paperfs/remote/service/store"
)

// Generate fills a tenant with what a generate.Spec says. It is one change:
// all of it, or nothing where it fails.
func (m *Admin) Generate(s generate.Spec, tenant string) (generate.Report, error) {
	if err := s.Check(); err != nil {
		return generate.Report{}, err
	}
	contents, sync, err := m.together()
	if err != nil {
		return generate.Report{}, err
	}
	var made generate.Report
	err = m.writeTenant(tenant, func(tx store.Writer, t store.Tenant) (err error) {
		if made, err = generate.Tree(tx, t, s); err != nil {
			return err
		}
		media, err := generate.Library(context.Background(), tx, t, contents, s)
		made.Directories, made.Files = media.Directories, media.Files
		if err != nil || made.Files == 0 {
			return err
		}
		return sync()
	})
	if err != nil {
		return generate.Report{}, err
	}
	return made, nil
}

// errAnnounced: content apart is announced by a change of the records, which in SQLite
// waits for the one that it is to be part of, for ever.
var errAnnounced = errors.New("records in a data directory cannot have content that lies elsewhere made in their changes")

// together returns the content for many drafts, which are on the disk after sync.
func (m *Admin) together() (_ store.Contents, sync func() error, err error) {
	if _, alone := m.store.(*sqlitestore.Store); alone && m.apart != nil {
		return nil, nil, errAnnounced
	}
	if m.apart != nil {
		return m.apart, func() error { return nil }, nil
	}
	files, err := m.contents()
	if err != nil {
		return nil, nil, err
	}
	contents, sync := files.Batch()
	return contents, sync, nil
}
