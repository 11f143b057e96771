package generated

import (
	"context"
	"slices"
	"strings"

	"paperfs/cache/document"
	"paperfs/fs/virtual"
	"paperfs/remote"
)

// namedValues is the directory of a node's settings, or of a paper's custom fields. All
// nodes have the same names, so the list is requested only once. It is empty if the
// service offers none.
type namedValues struct {
	*Nodes
	id    int64
	doc   document.Doc // the kind of one value
	names func(context.Context) ([]string, error)
	load  func(ctx context.Context, id int64, name string) (string, error)
	store func(ctx context.Context, id int64, name, value string) error
}

func (g *Nodes) settings(id int64) namedValues {
	names := namesOf(g.Documents.KnownSettings, g.Documents.Settings, func(s remote.Setting) string { return s.Name })
	return namedValues{g, id, document.DocSetting, names, g.Documents.Setting, g.Documents.SetSetting}
}

func (g *Nodes) fields(id int64) namedValues {
	names := namesOf(g.Documents.KnownFields, g.Documents.Fields, func(f remote.Field) string { return f.Name })
	return namedValues{g, id, document.DocField, names, g.Documents.Field, g.Documents.SetField}
}

// namesOf returns a function that lists names: from known if it needs no request, else
// from ask.
func namesOf[T any](known func() ([]T, bool), ask func(context.Context) ([]T, error), name func(T) string) func(context.Context) ([]string, error) {
	return func(ctx context.Context) ([]string, error) {
		all, ok := known()
		var err error
		if !ok {
			all, err = virtual.Read(ctx, ask)
		}
		names := make([]string, len(all))
		for i, each := range all {
			names[i] = name(each)
		}
		return names, err
	}
}

// Refusal ends the message for a program that tries to create a file here, such as an
// editor that saves through a temporary name (sed -i).
func (v namedValues) Refusal() string {
	if v.doc == document.DocField {
		return "; a value is written to the file of a field that is defined (paperfs admin field add NAME, or the operation AddCustomField): echo VALUE > NAME"
	}
	return "; a value is written to its file in place: echo VALUE > NAME"
}

// List implements virtual.Source.
func (v namedValues) List(ctx context.Context) ([]virtual.Entry, error) {
	names, err := v.names(ctx)
	entries := make([]virtual.Entry, len(names))
	for i, name := range names {
		entries[i] = virtual.FileEntry(name)
	}
	return entries, err
}

// Find implements virtual.Source.
func (v namedValues) Find(ctx context.Context, name string) (virtual.Node, error) {
	if strings.HasPrefix(name, ".") {
		return nil, nil // a probe by a program: no name starts with a dot, so the list is not needed
	}
	if names, err := v.names(ctx); err != nil || !slices.Contains(names, name) {
		return nil, err
	}
	file := v.Value(v.id,
		func(ctx context.Context) (string, error) { return v.load(ctx, v.id, name) },
		func(ctx context.Context, value string) error { return v.store(ctx, v.id, name, value) })
	file.Known = func() (string, bool) {
		data, ok := v.Documents.Known(v.doc, v.id, name)
		return string(data), ok
	}
	return file, nil
}
