package generated

import (
	"context"
	"strings"

	"paperfs/cache/document"
	"paperfs/fs/virtual"
)

// statistics is the directory of a paper's statistics: every month has a file, but none is
// listed. Otherwise a program that reads every listed file, such as a backup, would cause
// two requests for each.
type statistics struct {
	*Nodes
	id int64
}

func (s statistics) List(context.Context) ([]virtual.Entry, error) { return nil, nil }

func (s statistics) Find(_ context.Context, name string) (virtual.Node, error) {
	text, ok := strings.CutSuffix(name, ".csv")
	if !ok {
		return nil, nil
	}
	month, ok := s.Documents.Month(text)
	if !ok {
		return nil, nil
	}
	return s.document(s.id,
		func(ctx context.Context) ([]byte, error) { return s.Documents.Statistics(ctx, s.id, month) },
		func() ([]byte, bool) { return s.Documents.Known(document.DocStatistics, s.id, text) }), nil
}
