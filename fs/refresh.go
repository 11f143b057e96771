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

// refresh reads the tree again. For a paper it also forgets the cached documents of
// that paper; for any other path it forgets everything, media/ included. When it
// returns, the mount shows what was read. If the service cannot be asked, it forgets
// nothing.
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
	ctx, cancel := context.WithTimeout(ctx, toldMost)
	defer cancel()
	o.Catalogue.Told(ctx)
	tree.Told(ctx)
	r.media.Told(ctx)
	return nil
}
