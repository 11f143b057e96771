package control

import (
	"context"
	"slices"
	"strings"
	"syscall"

	gofs "github.com/hanwen/go-fuse/v2/fs"

	"paperfs/cache/failure"
	"paperfs/cache/media"
	"paperfs/fs/errno"
	"paperfs/fs/virtual"
)

// NewRoot returns the directory .paperfs.
func NewRoot(o Options) gofs.InodeEmbedder {
	return &virtual.Dir{Env: o.Env, About: virtual.About{Time: o.Since}, Mode: 0o700, Source: newRootSource(o)}
}

// root is the Source of .paperfs.
type root struct{ files []rootFile }

type rootFile struct {
	name string
	mode uint32 // the file type
	node func() virtual.Node
}

func newRootSource(o Options) *root {
	about := virtual.About{Time: o.Since}
	document := func(name string, render func() ([]byte, error)) rootFile {
		return rootFile{name, syscall.S_IFREG, func() virtual.Node {
			return &virtual.Document{Env: o.Env, About: about, Mode: 0o400, Live: true,
				Load: func(context.Context) ([]byte, error) { return render() }}
		}}
	}
	value := func(name string, store func(ctx context.Context, path string) error) rootFile {
		return rootFile{name, syscall.S_IFREG, func() virtual.Node {
			return &virtual.Value{Env: o.Env, About: about, Mode: 0o200, Store: func(ctx context.Context, value string) error {
				p, err := o.path(value)
				if err != nil {
					return err
				}
				return store(ctx, p)
			}}
		}}
	}
	check := rootFile{"check", syscall.S_IFREG, func() virtual.Node {
		return &virtual.Document{Env: o.Env, About: about, Mode: 0o400, Live: true, Load: func(ctx context.Context) ([]byte, error) { return renderCheck(o.Media.Check(ctx)), nil }}
	}}
	return &root{[]rootFile{
		check,
		value("discard", o.discard),
		document("errors", func() ([]byte, error) { return renderFailures(o.Failures.Events()), nil }),
		{"failed", syscall.S_IFDIR, func() virtual.Node { return newFailedDir(o.Env, about, o.Media) }},
		document("local", func() ([]byte, error) { return renderLocal(LocalNames(o.Media, o.LocalPapers())) }),
		document("metrics", func() ([]byte, error) { return Metrics(o.Status()) }),
		value("refresh", o.Refresh),
		value("retry", func(context.Context, string) error {
			o.Media.RetryNow()
			return nil
		}),
		{"stat", syscall.S_IFREG, func() virtual.Node {
			return &transaction{Env: o.Env, About: about, answer: o.stat}
		}},
		document("status", func() ([]byte, error) { return o.Status().render() }),
		document("uploads", func() ([]byte, error) {
			return renderUploads(o.Media.Uploads(), o.Media.Queue(), o.Media.Failed()), nil
		}),
	}}
}

// discard removes a path from the queue. It records a local failure for the path, too, where `paperfs why` finds
// it. ENOENT means that nothing is queued, so it must not come from a missing local file.
func (o *Options) discard(_ context.Context, path string) error {
	below, ok := strings.CutPrefix(path, "media/")
	if !ok {
		below = "/" + path
	}
	err := o.Media.DiscardQueued(below)
	if err == nil || media.Is(err, media.NotFound) {
		return err
	}
	if errno.Of(err) == syscall.ENOENT {
		err = errno.Refuse(syscall.EIO, err.Error())
	}
	o.Env.Tell.Failed("discard", path, 0, err)
	return err
}

func (r *root) List(context.Context) ([]virtual.Entry, error) {
	var entries []virtual.Entry
	for _, f := range r.files {
		entries = append(entries, virtual.Entry{Name: f.name, Mode: f.mode})
	}
	return entries, nil
}

func (r *root) Find(_ context.Context, name string) (virtual.Node, error) {
	i := slices.IndexFunc(r.files, func(f rootFile) bool { return f.name == name })
	if i < 0 {
		return nil, nil
	}
	return r.files[i].node(), nil
}

// renderCheck lists contradictions in the local state, one line each.
func renderCheck(wrong error) []byte {
	if wrong == nil {
		return nil
	}
	return []byte(wrong.Error() + "\n")
}

func renderFailures(events []failure.Event) []byte {
	var b strings.Builder
	for _, e := range events {
		b.WriteString(e.String() + "\n")
	}
	return []byte(b.String())
}
