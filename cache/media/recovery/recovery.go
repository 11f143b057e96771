package recovery

import (
	"paperfs/cache/content/inode"
	"paperfs/cache/media/body"
	"paperfs/cache/media/names"
	"paperfs/cache/media/option"
	"paperfs/cache/media/queue"
)

// Recovery is what the next mount does with what a run left, and what a lost state leaves.
type Recovery struct {
	o          *option.Options
	names      *names.Tree
	bodies     *body.Bodies
	queue      *queue.Sender
	lastCopies map[inode.Ino][]byte // of a lost state, once the store is closed: see KeepCopies
}

// New returns one for the layers below.
func New(o *option.Options, names *names.Tree, bodies *body.Bodies, queue *queue.Sender) *Recovery {
	return &Recovery{o: o, names: names, bodies: bodies, queue: queue}
}
