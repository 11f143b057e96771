package fs

import (
	"context"
	"strings"
	"time"

	"paperfs/fs/papers"
)

// maxNoticeWait bounds how long a refresh waits for the kernel to drop old entries. A notice
// waits for changes under way in its directory.
const maxNoticeWait = 2 * time.Second

// refresh fetches the tree again. For a paper it also drops the cached documents of
// that paper; for any other path it drops everything, media/ included. When it returns,
// the mount shows the new tree. If the service does not answer, refresh drops nothing.
func (o Options) refresh(ctx context.Context, r *root, tree *papers.Tree, path string) error {
	if err := o.Catalogue.Refresh(ctx); err != nil {
		return err
	}
	if strings.HasPrefix(path+"/", "papers/") {
		o.Media.Forget()
	} else if err := o.Media.Refresh(ctx); err != nil {
		return err
	}
	d, err := r.stat(path)
	if err == nil && d.Kind == "paper" {
		o.Documents.Drop(d.ID)
	} else {
		o.Documents.DropAll()
	}
	o.Log.Info("refresh", "path", path)
	ctx, cancel := context.WithTimeout(ctx, maxNoticeWait)
	defer cancel()
	o.Catalogue.WaitNotified(ctx)
	tree.WaitNotified(ctx)
	r.media.WaitNotified(ctx)
	return nil
}
