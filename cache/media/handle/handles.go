package handle

import (
	"paperfs/cache/media/body"
	"paperfs/cache/media/names"
	"paperfs/cache/media/option"
	"paperfs/cache/media/reconcile"
	"paperfs/cache/media/upload"
)

// Handles are the open files.
type Handles struct {
	o          *option.Options
	names      *names.Tree
	reconciler *reconcile.Reconciler
	bodies     *body.Bodies
	uploads    *upload.Uploader
	finalizing int // releases in progress
}

// New returns one for the layers below.
func New(o *option.Options, names *names.Tree, reconciler *reconcile.Reconciler, bodies *body.Bodies, uploads *upload.Uploader) *Handles {
	return &Handles{o: o, names: names, reconciler: reconciler, bodies: bodies, uploads: uploads}
}
