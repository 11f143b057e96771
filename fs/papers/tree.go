package papers

import (
	"sync"
	"sync/atomic"
	"time"

	"paperfs/cache/catalogue"
	"paperfs/cache/document"
	"paperfs/cache/media"
	mediafs "paperfs/fs/media"
	"paperfs/fs/papers/generated"
	"paperfs/fs/virtual"
	"paperfs/remote"
)

// Options of a Tree.
type Options struct {
	*virtual.Env
	Catalogue *catalogue.Catalogue
	Documents *document.Cache
	Media     *media.Store  // has the PDFs
	Files     mediafs.Files // of Media
	// AllowDelete lets rmdir delete on the service.
	AllowDelete bool
	// Offers returns what the service offers.
	Offers func() (_ remote.Offers, known bool)
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
	began        time.Time
	created      sync.Map      // the papers that this mount has created, by id
	copying      sync.Map      // copying: what cp -r is about to list
	making       sync.Map      // names.Entry of PDFs of which an attempt may have created the paper
	editions     atomic.Uint64 // counts what rmdir has removed
	removed      sync.Map      // by the id of what rmdir has removed: the edition of its next inode, if it comes back

	reportedJobs sync.Map // GUIDs of failed jobs that were reported
}
