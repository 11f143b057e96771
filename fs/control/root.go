package control

import (
	"bytes"
	"context"
	"io"
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
type root struct {
	files []rootFile
}

type rootFile struct {
	name string
	mode uint32 // the file type
	node func() virtual.Node
}

// files makes the nodes of .paperfs.
type files struct {
	Options
	about virtual.About
}

// document is a file whose text is made at each open.
func (f files) document(name string, render func(ctx context.Context) ([]byte, error)) rootFile {
	return rootFile{name, syscall.S_IFREG, func() virtual.Node {
		return &virtual.Document{Env: f.Env, About: f.about, Mode: 0o400, Live: true, Load: render}
	}}
}

// value is a file that takes a path.
func (f files) value(name string, store func(ctx context.Context, path string) error) rootFile {
	return rootFile{name, syscall.S_IFREG, func() virtual.Node {
		return &virtual.Value{Env: f.Env, About: f.about, Mode: 0o200, Store: func(ctx context.Context, value string) error {
			p, err := f.path(value)
			if err != nil {
				return err
			}
			return store(ctx, p)
		}}
	}}
}

// question is a file that answers on the handle that asked.
func (f files) question(name string, answer func(ctx context.Context, question string) ([]byte, error)) rootFile {
	return f.conversation(name, strings.Clone, func(ctx context.Context, question string) (io.Reader, error) {
		text, err := answer(ctx, question)
		return bytes.NewReader(text), err
	})
}

// conversation is a question whose answer may be content. of returns the path that a question is about.
func (f files) conversation(name string, of func(question string) string, answer func(ctx context.Context, question string) (io.Reader, error)) rootFile {
	return rootFile{name, syscall.S_IFREG, func() virtual.Node {
		return &transaction{Env: f.Env, About: f.about, name: name, of: of, answer: answer}
	}}
}

func newRootSource(o Options) *root {
	f := files{o, virtual.About{Time: o.Since}}
	return &root{files: []rootFile{
		f.value("discard", o.discard),
		f.document("errors", func(context.Context) ([]byte, error) { return renderFailures(o.Failures.Events()), nil }),
		f.question("events", func(_ context.Context, question string) ([]byte, error) { return o.events(question) }),
		{"failed", syscall.S_IFDIR, func() virtual.Node { return newFailedDir(o.Env, f.about, o.Media) }},
		f.document("local", func(context.Context) ([]byte, error) { return renderLocal(LocalNames(o.Media)) }),
		f.document("metrics", func(context.Context) ([]byte, error) { return Metrics(o.Status()) }),
		f.question("refresh", o.refresh),
		f.value("retry", func(context.Context, string) error {
			o.Media.RetryNow()
			return nil
		}),
		f.question("sign-in", func(ctx context.Context, _ string) ([]byte, error) {
			address, err := o.SignIn(ctx)
			return []byte(address), err
		}),
		f.question("stat", o.stat),
		f.document("status", func(context.Context) ([]byte, error) { return o.Status().render() }),
		f.conversation("undo", pathOf, o.undo),
		f.document("uploads", func(context.Context) ([]byte, error) {
			return renderUploads(o.Media.Uploads(), o.Media.Queue(), o.Media.Failed()), nil
		}),
	}}
}

// refresh answers with nothing once what is cached is dropped.
func (o *Options) refresh(ctx context.Context, written string) ([]byte, error) {
	p, err := o.path(written)
	if err != nil {
		return nil, err
	}
	return nil, o.Refresh(ctx, p)
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

func renderFailures(events []failure.Event) []byte {
	var b strings.Builder
	for _, e := range events {
		b.WriteString(e.String() + "\n")
	}
	return []byte(b.String())
}
