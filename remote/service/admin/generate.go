package admin

import (
	"context"
	"errors"

	"paperfs/remote/service/generate"
	"paperfs/remote/service/sqlitestore"
	"paperfs/remote/service/store"
)

// Generate fills a tenant according to a generate.Spec. It is one change: if it fails, nothing is
// added.
func (m *Admin) Generate(s generate.Spec, tenant string) (generate.Report, error) {
	if err := s.Check(); err != nil {
		return generate.Report{}, err
	}
	contents, sync, err := m.batchContents()
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

// errAnnounced: external content is recorded in the ledger by a change of its own. In SQLite that
// change would wait forever for the change that generates the content.
var errAnnounced = errors.New("a data directory cannot generate content in an object store")

// batchContents returns the contents for many drafts, which are durable after sync.
func (m *Admin) batchContents() (_ store.Contents, sync func() error, err error) {
	if _, alone := m.store.(*sqlitestore.Store); alone && m.external != nil {
		return nil, nil, errAnnounced
	}
	if m.external != nil {
		return m.external, func() error { return nil }, nil
	}
	files, err := m.contents()
	if err != nil {
		return nil, nil, err
	}
	contents, sync := files.Batch()
	return contents, sync, nil
}
