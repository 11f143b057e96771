package queue

import (
	"time"

	"paperfs/cache/content/outbox"
	"paperfs/cache/content/tree"
	"paperfs/cache/media/body"
	"paperfs/cache/media/handle"
	"paperfs/cache/media/names"
	"paperfs/cache/media/option"
	"paperfs/cache/media/reconcile"
	"paperfs/cache/media/upload"
)

// Sender sends what is queued.
type Sender struct {
	o          *option.Options
	names      *names.Tree
	reconciler *reconcile.Reconciler
	bodies     *body.Bodies
	uploads    *upload.Uploader
	handles    *handle.Handles
	Barred     error // why the service last rejected the account, when the queue tried; nil once something was sent
}

// New returns what sends the queue of names, once that is started.
func New(o *option.Options, names *names.Tree, reconciler *reconcile.Reconciler, bodies *body.Bodies, uploads *upload.Uploader, handles *handle.Handles) *Sender {
	s := &Sender{o: o, names: names, reconciler: reconciler, bodies: bodies, uploads: uploads, handles: handles}
	debounce := o.Debounce
	if !o.WriteBack {
		debounce = 0
	}
	names.Outbox, names.PDFQueue = s.newOutbox(debounce), s.newOutbox(0)
	return s
}

func (s *Sender) newOutbox(debounce time.Duration) *outbox.Outbox[*tree.Delivery] {
	return outbox.New(outbox.Options[*tree.Delivery]{
		Send: s.deliver, Ready: s.ready, Senders: s.o.Transfers, Pause: s.o.Pause, Debounce: debounce, Now: s.o.Now,
	})
}
