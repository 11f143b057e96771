package upload

import (
	"sync/atomic"

	"paperfs/cache/content/spool"
	"paperfs/cache/media/body"
	"paperfs/cache/media/names"
	"paperfs/cache/media/option"
	"paperfs/cache/media/reconcile"
)

// Uploader sends to the service.
type Uploader struct {
	o            *option.Options
	names        *names.Tree
	reconciler   *reconcile.Reconciler
	bodies       *body.Bodies
	Progress     spool.Progress
	early        atomic.Pointer[early]
	PDFProcessor Processor // sends PDFs; nil: not set yet
}

// New returns one for the layers below.
func New(o *option.Options, names *names.Tree, reconciler *reconcile.Reconciler, bodies *body.Bodies) *Uploader {
	u := &Uploader{o: o, names: names, reconciler: reconciler, bodies: bodies}
	u.Progress.Ended = u.WakeEarly
	return u
}
