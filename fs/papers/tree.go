package papers

import (
	"sync"
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
	Media     *media.Store // keeps the PDFs that are written here
	Judge     *flush.Judge // tells when they are whole
	// AllowDelete lets rmdir delete at the service.
	AllowDelete bool
	// Started is the time of nodes that stand for nothing of the service.
	Started func() time.Time
}

// Tree is what the nodes of papers/, by-id/, by-url/ and jobs/ share.
type Tree struct {
	Options
	*generated.Nodes
	notices
	hiddenSource hiddenNames // source.pdf
	hiddenBeside hiddenNames // the PDF beside the paper
	pending      *pending.Set
	temps        temps

	reportedJobs sync.Map // GUIDs of failed jobs that were told
}
