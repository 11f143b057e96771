package mount

import (
	"context"
	"log/slog"
	"sync"

	"paperfs/remote"
	"paperfs/remote/shellword"
)

// mayDelete reports whether rm and rmdir delete on the service: on the embedded one also without being told so, while
// it keeps what they delete.
func (a *account) mayDelete() bool {
	return a.config.AllowDelete || a.keepsDeleted && !a.config.NoDelete
}

// deletions is a client that logs, after its first deletion, how that is undone.
type deletions struct {
	*remote.Client
	log  *slog.Logger
	dir  string // the mount point
	once sync.Once
}

func (d *deletions) DeleteFile(ctx context.Context, id int64) error {
	return d.said(d.Client.DeleteFile(ctx, id))
}

func (d *deletions) DeleteDirectory(ctx context.Context, id int64) error {
	return d.said(d.Client.DeleteDirectory(ctx, id))
}

func (d *deletions) DeletePaper(ctx context.Context, id int64) error {
	return d.said(d.Client.DeletePaper(ctx, id))
}

func (d *deletions) said(err error) error {
	if o, _ := d.Offers(); err == nil && o.Deleted > 0 {
		d.once.Do(func() {
			d.log.Info("the service keeps what is deleted; to bring it back, run: paperfs undo "+shellword.Quote(d.dir), "days", o.Deleted)
		})
	}
	return err
}
