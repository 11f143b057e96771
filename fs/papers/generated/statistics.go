package generated

import (
	"context"
	"strings"
	"time"

	"paperfs/cache/document"
	"paperfs/fs/virtual"
)

// statistics is the directory of a paper's statistics: every month has three files, and address leads
// to the page that shows them. None is listed. Otherwise a program that reads every listed file,
// such as a backup, would cause requests for each.
type statistics struct {
	*Nodes
	id int64
}

func (s statistics) List(context.Context) ([]virtual.Entry, error) { return nil, nil }

func (s statistics) Find(_ context.Context, name string) (virtual.Node, error) {
	if name == "address" {
		address := s.Value(s.id, func(ctx context.Context) (string, error) { return s.Documents.StatisticsAddress(ctx, s.id) }, nil)
		address.Mode = 0o400 // whoever has it sees the statistics
		return address, nil
	}
	text, ok := strings.CutSuffix(name, ".csv")
	if !ok {
		return nil, nil
	}
	begin, load := text, s.Documents.Statistics
	for _, of := range []string{document.PagesOf, document.LinksOf} {
		if at, ok := strings.CutSuffix(text, of); ok {
			begin, load = at, func(ctx context.Context, id int64, month time.Time) ([]byte, error) {
				return s.Documents.PageStatistics(ctx, id, month, of)
			}
		}
	}
	month, ok := s.Documents.Month(begin)
	if !ok {
		return nil, nil
	}
	return s.document(s.id,
		func(ctx context.Context) ([]byte, error) { return load(ctx, s.id, month) },
		func() ([]byte, bool) { return s.Documents.Known(document.DocStatistics, s.id, text) }), nil
}
