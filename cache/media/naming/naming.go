package naming

import (
	"paperfs/cache/media/body"
	"paperfs/cache/media/handle"
	"paperfs/cache/media/names"
	"paperfs/cache/media/option"
	"paperfs/cache/media/reconcile"
	"paperfs/cache/media/upload"
)

// Naming creates, renames and removes names on behalf of programs.
type Naming struct {
	o          *option.Options
	names      *names.Tree
	reconciler *reconcile.Reconciler
	bodies     *body.Bodies
	uploads    *upload.Uploader
	handles    *handle.Handles
}

// New returns one for the layers below.
func New(o *option.Options, names *names.Tree, reconciler *reconcile.Reconciler, bodies *body.Bodies, uploads *upload.Uploader, handles *handle.Handles) *Naming {
	return &Naming{o: o, names: names, reconciler: reconciler, bodies: bodies, uploads: uploads, handles: handles}
}
