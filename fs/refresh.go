package fs

import (
	"context"
	"strings"
	"time"

	"paperfs/fs/papers"
)

// toldMost bounds how long a refresh waits for the kernel to drop what is old:
// a directory in which a change is under way is told only after that.
const toldMost = 2 * time.Second

// refresh reads the tree again and forgets what is cached of the node at a
// path, and of all that it may depend on: for a paper its documents, for the
// rest everything, media/ included. When it returns, the mount shows what was
// read. Where the service cannot be asked, what is cached is kept.
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
		o.Library.Drop(d.ID)
	} else {
		o.Library.DropAll()
	}
	o.Log.Info("refresh", "path", path)
	ctx, cancel := context.WithTimeout(ctx, toldMost)
	defer cancel()
	o.Catalogue.Told(ctx)
	tree.Told(ctx)
	r.media.Told(ctx)
	return nil
}
