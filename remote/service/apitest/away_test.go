package apitest

import (
	"context"
	"sync/atomic"
	"testing"

	"github.com/stretchr/testify/require"

	"paperfs/remote"
	"paperfs/remote/service/kit/pdftest"
	"paperfs/remote/service/store"
)

// awayContents is unreachable for a while.
type awayContents struct {
	store.Contents
	pass atomic.Int64 // drafts that succeed before the outage
	away atomic.Int64 // drafts that fail during it
}

func (c *awayContents) Create(ctx context.Context) (store.Draft, error) {
	if c.pass.Add(-1) < 0 && c.away.Add(-1) >= 0 {
		return nil, store.ErrAway
	}
	return c.Contents.Create(ctx)
}

// TestAPDFWaitsForAnEngineThatIsAway checks that an outage of the content store does not count as
// an attempt.
func TestAPDFWaitsForAnEngineThatIsAway(t *testing.T) {
	t.Parallel()
	s := start(t)
	paper := s.paper(s.root(), "spring")
	away := &awayContents{}
	away.pass.Store(1) // for the PDF itself
	away.away.Store(5)
	s.wrapContents(func(inner store.Contents) store.Contents { away.Contents = inner; return away })
	status, reason := s.ended(s.queue(paper, pdftest.Text("garden"), pdfOptions("")))
	require.Equal(t, remote.JobCompleted, status, reason)
	require.Negative(t, away.away.Load())
}
