package papers

import (
	"sync"
	"sync/atomic"
	"time"

	"paperfs/cache/catalogue"
	"paperfs/cache/document"
	"paperfs/cache/media"
	"paperfs/fs/flush"
	"paperfs/fs/papers/generated"
	"paperfs/fs/papers/pending"
	"paperfs/fs/virtual"
)

// Options of a Tree.
type Options struct {
	*virtual.Env
	Catalogue *catalogue.Catalogue
	Documents *document.Cache
	Media     *media.Store // stores the PDFs that programs write
	Judge     *flush.Judge // decides when a written PDF is complete
	// AllowDelete lets rmdir delete on the service.
	AllowDelete bool
	// Started is the time shown for nodes that stand for nothing on the service.
	Started func() time.Time
}

// Tree is what the nodes of papers/, by-id/, by-url/ and jobs/ share.
type Tree struct {
	Options
	*generated.Nodes
	notices
	hiddenSource hiddenNames // papers whose source.pdf was removed
	hiddenBeside hiddenNames // papers whose PDF beside them was removed
	pending      *pending.Set
	temps        temps
	editions     atomic.Uint64 // counts the inodes of PDFs, so that none is taken for one that is being forgotten
	removed      sync.Map      // by the id of what rmdir has removed: the edition of its next inode, if it comes back

	reportedJobs sync.Map // GUIDs of failed jobs that were reported
}
