package fullcopy

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"

	"paperfs/remote/service/datadir"
	"paperfs/remote/service/engine"
	"paperfs/remote/service/sqlitestore"
	"paperfs/remote/service/store"
)

// Place is where records and content are: a data directory, or a database and an object store.
type Place struct {
	Data              string
	Database, Objects string // addresses; "" = Data
}

func (p Place) String() string {
	if p.Database == "" {
		return p.Data
	}
	return p.Database + " and " + p.Objects
}

// open is an opened place.
type open struct {
	records interface {
		store.Store
		store.Importer
	}
	contents Target
	closers  []io.Closer
}

func (o *open) Close() error {
	var err error
	for i := len(o.closers) - 1; i >= 0; i-- {
		err = errors.Join(err, o.closers[i].Close())
	}
	return err
}

type closer func() error

func (c closer) Close() error { return c() }

// source opens a place that was set up. A data directory must not be in use by a service: its
// changes would be lost.
func (p Place) source(ctx context.Context) (*open, error) {
	if p.Database != "" {
		records, contents, err := engine.Open(ctx, p.Database, p.Objects)
		if err != nil {
			return nil, err
		}
		return &open{records, contents, []io.Closer{records, contents}}, nil
	}
	setUp, err := datadir.Check(ctx, p.Data)
	if err == nil && !setUp {
		err = fmt.Errorf("%s holds no service data", p.Data)
	}
	if err != nil {
		return nil, err
	}
	return p.locked(func() (*sqlitestore.Store, error) {
		return sqlitestore.OpenExisting(ctx, filepath.Join(p.Data, datadir.DatabaseFile))
	})
}

// target opens the target and creates what is missing, except the bucket. It rejects a target
// with other data before it changes anything.
func (p Place) target(ctx context.Context, from Place) (*open, error) {
	if p.Database == "" {
		return p.targetDirectory(ctx, from)
	}
	if err := engine.Migrate(ctx, p.Database); err != nil {
		return nil, err
	}
	records, err := engine.OpenEmpty(ctx, p.Database)
	if err != nil {
		return nil, err
	}
	contents, err := engine.OpenContents(ctx, p.Objects, records)
	if err != nil {
		return nil, errors.Join(err, records.Close())
	}
	return &open{records, contents, []io.Closer{records, contents}}, nil
}

// targetDirectory accepts what an interrupted copy left: content, and a database without a
// tenant. It marks the directory until the copy is complete, so that no service uses it before. A
// directory that is already complete gets no mark.
func (p Place) targetDirectory(ctx context.Context, from Place) (*open, error) {
	file := filepath.Join(p.Data, datadir.DatabaseFile)
	_, missing := os.Stat(file)
	setUp, err := datadir.CheckTarget(ctx, p.Data)
	if err != nil && (setUp || missing != nil) {
		return nil, err
	}
	return p.locked(func() (*sqlitestore.Store, error) {
		if !setUp {
			if err := datadir.MarkCopy(p.Data, from.String()); err != nil {
				return nil, err
			}
		}
		if missing != nil {
			return sqlitestore.Open(ctx, file)
		}
		return sqlitestore.OpenExisting(ctx, file)
	})
}

// locked opens a data directory under its lock, so that no service uses it or starts to.
func (p Place) locked(records func() (*sqlitestore.Store, error)) (o *open, err error) {
	lock, err := datadir.Lock(p.Data)
	if err != nil {
		return nil, err
	}
	o = &open{closers: []io.Closer{closer(lock.Release)}}
	defer func() {
		if err != nil {
			err = errors.Join(err, o.Close())
		}
	}()
	db, err := records()
	if err != nil {
		return nil, err
	}
	o.records, o.closers = db, append(o.closers, db)
	o.contents, err = datadir.OpenContents(context.Background(), p.Data, db)
	return o, err
}
