package papers

import (
	"context"
	"strings"

	"paperfs/cache/library"
	"paperfs/fs/virtual"
	"paperfs/remote"
)

// settings is the directory of a node's settings. Which there are is the same
// for all nodes and asked once.
type settings struct {
	*Tree
	id int64
}

func (s settings) List(ctx context.Context) ([]virtual.Entry, error) {
	known, err := s.all(ctx)
	entries := make([]virtual.Entry, len(known))
	for i, setting := range known {
		entries[i] = asFile(setting.Name)
	}
	return entries, err
}

func (s settings) Find(ctx context.Context, name string) (virtual.Node, error) {
	if strings.HasPrefix(name, ".") {
		return nil, nil // a probe; no setting is called so, and the list need not be asked for
	}
	known, err := s.all(ctx)
	if err != nil {
		return nil, err
	}
	for _, setting := range known {
		if setting.Name == name {
			return s.file(name), nil
		}
	}
	return nil, nil
}

func (s settings) all(ctx context.Context) ([]remote.Setting, error) {
	if known, ok := s.Library.KnownSettings(); ok {
		return known, nil
	}
	return virtual.Read(ctx, s.Library.Settings)
}

func (s settings) file(name string) virtual.Node {
	v := s.value(s.id,
		func(ctx context.Context) (string, error) { return s.Library.Setting(ctx, s.id, name) },
		func(ctx context.Context, value string) error { return s.Library.SetSetting(ctx, s.id, name, value) })
	v.Known = s.knownValue(library.DocSetting, s.id, name)
	return v
}

// fields is the directory of a paper's custom fields; empty where the service
// does not offer any.
type fields struct {
	*Tree
	id int64
}

func (f fields) List(ctx context.Context) ([]virtual.Entry, error) {
	known, err := f.all(ctx)
	entries := make([]virtual.Entry, len(known))
	for i, field := range known {
		entries[i] = asFile(field.Name)
	}
	return entries, err
}

func (f fields) Find(ctx context.Context, name string) (virtual.Node, error) {
	known, err := f.all(ctx)
	if err != nil {
		return nil, err
	}
	for _, field := range known {
		if field.Name == name {
			return f.file(name), nil
		}
	}
	return nil, nil
}

func (f fields) all(ctx context.Context) ([]remote.Field, error) {
	if known, ok := f.Library.KnownFields(); ok {
		return known, nil
	}
	return virtual.Read(ctx, f.Library.Fields)
}

func (f fields) file(name string) virtual.Node {
	v := f.value(f.id,
		func(ctx context.Context) (string, error) { return f.Library.Field(ctx, f.id, name) },
		func(ctx context.Context, value string) error { return f.Library.SetField(ctx, f.id, name, value) })
	v.Known = f.knownValue(library.DocField, f.id, name)
	return v
}

// knownValue tells a value that the library has at hand.
func (t *Tree) knownValue(doc library.Doc, id int64, name string) func() (string, bool) {
	return func() (string, bool) {
		data, ok := t.Library.Known(doc, id, name)
		return string(data), ok
	}
}
