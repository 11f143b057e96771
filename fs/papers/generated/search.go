package generated

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"syscall"
	"unicode/utf8"

	"paperfs/cache/document"
	"paperfs/fs/errno"
	"paperfs/fs/papers/names"
	"paperfs/fs/virtual"
	"paperfs/remote"
	"paperfs/remote/rules"
)

// searches is the directory .search of a category or a paper.
type searches struct {
	*Nodes
	id   int64
	kind remote.NodeKind
}

func (s searches) List(context.Context) ([]virtual.Entry, error) {
	if s.kind == remote.PaperNode {
		return []virtual.Entry{virtual.DirEntry("pages")}, nil
	}
	return []virtual.Entry{virtual.DirEntry("content"), virtual.DirEntry("pages"), virtual.DirEntry("fields")}, nil
}

func (s searches) Find(_ context.Context, name string) (virtual.Node, error) {
	switch {
	case name == "pages":
		return s.Dir(s.id, queries{s.Nodes, s.id, s.pagesQuery}), nil
	case s.kind == remote.PaperNode:
		return nil, nil
	case name == "content":
		return s.Dir(s.id, queries{s.Nodes, s.id, s.contentQuery}), nil
	case name == "fields":
		return s.Dir(s.id, queries{s.Nodes, s.id, s.fieldsQuery}), nil
	}
	return nil, nil
}

// queries is a directory in which every name is a query. None is listed, and looking one
// up makes no request.
type queries struct {
	*Nodes
	id    int64
	parse func(query string) (query, error)
}

func (q queries) List(context.Context) ([]virtual.Entry, error) { return nil, nil }

func (q queries) Find(_ context.Context, name string) (virtual.Node, error) {
	if strings.HasPrefix(name, ".") {
		return nil, nil
	}
	ask, err := q.parse(names.Decode(name))
	if err != nil {
		return nil, errno.Refuse(syscall.EINVAL, err.Error())
	}
	return q.Dir(q.id, hits{q.Nodes, q.id, ask}), nil
}

func checkQuery(query string) error {
	switch rules.Query(query) {
	case rules.None:
		return nil
	case rules.Blank, rules.TooLong:
		return fmt.Errorf("a query must have 1 to %d characters, this one has %d", rules.MaxQuery, utf8.RuneCountInString(strings.TrimSpace(query)))
	}
	return errors.New("a query must be UTF-8 without control characters")
}

// typed reads in a query what a keyboard lacks: a name cannot have a slash. A literal %2F is
// %252F. Any other % stands for itself, as in "50%".
var typed = strings.NewReplacer("%2F", "/", "%2f", "/", "%25", "%")

func (s searches) contentQuery(query string) (query, error) {
	query = typed.Replace(query)
	return func(ctx context.Context) (document.Result, error) {
		return s.Documents.SearchPapers(ctx, s.id, query)
	}, checkQuery(query)
}

func (s searches) pagesQuery(query string) (query, error) {
	query = typed.Replace(query)
	return func(ctx context.Context) (document.Result, error) {
		return s.Documents.SearchPages(ctx, s.id, query)
	}, checkQuery(query)
}

func (s searches) fieldsQuery(query string) (query, error) {
	criteria, err := parseFieldSearch(query)
	return func(ctx context.Context) (document.Result, error) {
		return s.Documents.SearchFields(ctx, s.id, criteria)
	}, err
}
