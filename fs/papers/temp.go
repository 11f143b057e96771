package papers

import (
	"context"
	"io"
	"maps"
	"sync"
	"syscall"
	"time"

	gofs "github.com/hanwen/go-fuse/v2/fs"
	"github.com/hanwen/go-fuse/v2/fuse"

	"paperfs/cache/media"
	"paperfs/cache/media/localname"
	"paperfs/fs/attr"
	"paperfs/fs/caller"
	"paperfs/fs/describe"
	"paperfs/fs/errno"
	"paperfs/fs/inode"
	"paperfs/fs/request"
	"paperfs/fs/virtual"
)

// temp is a file with a temporary name in a category or a paper: what rsync,
// editors and browsers write on the way to a PDF. It stays on this machine, and is
// sent when it is renamed to one.
type temp struct {
	gofs.Inode
	*Tree
	draft *media.Draft

	mu       sync.Mutex // guards the rest, and orders what changes the draft
	mode     uint32
	mtime    time.Time
	handles  int
	nameless bool   // it was removed, or its name is another file's: it ends with its last handle
	sum      string // of what was sent, and with that it has ended; "" before
}

var (
	_ virtual.Node       = (*temp)(nil)
	_ gofs.NodeGetattrer = (*temp)(nil)
	_ gofs.NodeSetattrer = (*temp)(nil)
	_ gofs.NodeOpener    = (*temp)(nil)
	_ gofs.NodeReader    = (*temp)(nil)
	_ gofs.NodeWriter    = (*temp)(nil)
	_ gofs.NodeFsyncer   = (*temp)(nil)
	_ gofs.NodeReleaser  = (*temp)(nil)
	_ describe.Describer = (*temp)(nil)
)

// tempHandle is a temp that was opened.
type tempHandle struct{}

// temps are those that have a name, and the directories that are made for them.
type temps struct {
	mu   sync.Mutex
	at   map[entry]*temp    // guarded by mu
	dirs map[entry]*tempDir // guarded by mu
}

func (ts *temps) get(e entry) *temp {
	ts.mu.Lock()
	defer ts.mu.Unlock()
	return ts.at[e]
}

// all are those that have a name now.
func (ts *temps) all() map[entry]*temp {
	ts.mu.Lock()
	defer ts.mu.Unlock()
	return maps.Clone(ts.at)
}

// put gives a name to t, nil for nobody. It returns who had it.
func (ts *temps) put(e entry, t *temp) (had *temp) {
	ts.mu.Lock()
	defer ts.mu.Unlock()
	had = ts.at[e]
	if ts.at == nil {
		ts.at = map[entry]*temp{}
	}
	if ts.at[e] = t; t == nil {
		delete(ts.at, e)
	}
	ts.changed(e.dir)
	return had
}

// staysHere reports whether a name in a category or paper is a temporary one.
func (p *place) staysHere(ctx context.Context, name string) bool {
	comm := ""
	if thread := threadOf(ctx); thread != 0 && localname.CommMatters(name) {
		comm = caller.Comm(caller.Process(thread))
	}
	return p.Media.StaysHere(name, comm, func(other string) bool { return p.temps.get(entry{p.nodeID(), other}) != nil })
}

// lookupTemp finds a temp or a tempDir, nil where there is none.
func (p *place) lookupTemp(name string, out *fuse.EntryOut) *gofs.Inode {
	at := entry{p.nodeID(), name}
	if d := p.temps.dir(at); d != nil {
		d.Attr(&out.Attr)
		return &d.Inode
	}
	t := p.temps.get(at)
	if t == nil {
		return nil
	}
	t.Attr(&out.Attr)
	return &t.Inode
}

// createTemp makes a temp.
func (p *place) createTemp(ctx context.Context, name string, mode uint32, out *fuse.EntryOut) (*gofs.Inode, gofs.FileHandle, uint32, syscall.Errno) {
	t := &temp{Tree: p.Tree, draft: p.Media.NewDraft(p.nodeID(), "/"+virtual.Path(&p.Inode, name)), mode: mode & 0o777, mtime: time.Now(), handles: 1}
	made := p.NewInode(ctx, t, gofs.StableAttr{Mode: syscall.S_IFREG, Ino: inode.Media(uint64(t.draft.Ino()))})
	if had := p.temps.put(entry{p.nodeID(), name}, t); had != nil {
		had.unnamed()
	}
	t.Attr(&out.Attr)
	return made, &tempHandle{}, fuse.FOPEN_DIRECT_IO, 0
}

// unlinkTemp removes a temp, and reports whether there was one.
func (p *place) unlinkTemp(name string) bool {
	t := p.temps.put(entry{p.nodeID(), name}, nil)
	if t != nil {
		t.unnamed()
	}
	return t != nil
}

// unnamed is called when t has lost its name.
func (t *temp) unnamed() {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.nameless = true
	t.draft.Unlink()
	t.endIfUnused()
}

// endIfUnused ends what nobody can reach any more; t.mu is held.
func (t *temp) endIfUnused() {
	if t.nameless && t.handles == 0 && t.sum == "" {
		t.draft.Release(func() {})
	}
}

func (t *temp) Attr(out *fuse.Attr) time.Duration {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.Owner.Fill(out, attr.File, t.mtime)
	out.Mode = syscall.S_IFREG | t.mode
	out.Size = uint64(t.draft.Size())
	return 0
}

func (t *temp) Describe() describe.Description {
	return describe.Description{Kind: "file", State: describe.Local, Path: virtual.Path(&t.Inode)}
}

func (t *temp) Getattr(_ context.Context, _ gofs.FileHandle, out *fuse.AttrOut) syscall.Errno {
	return virtual.FillAttr(t, out)
}

// Setattr changes what is kept here; the owner is forgotten.
func (t *temp) Setattr(_ context.Context, _ gofs.FileHandle, in *fuse.SetAttrIn, out *fuse.AttrOut) syscall.Errno {
	if err := t.set(in); err != nil {
		return t.fail("write", err)
	}
	return virtual.FillAttr(t, out)
}

func (t *temp) set(in *fuse.SetAttrIn) error {
	t.mu.Lock()
	defer t.mu.Unlock()
	if size, sets := in.GetSize(); sets {
		if err := t.writable(); err != nil {
			return err
		}
		if err := t.draft.Truncate(int64(size)); err != nil {
			return err
		}
		t.mtime = time.Now()
	}
	if mode, sets := in.GetMode(); sets {
		t.mode = mode & 0o777
	}
	if mtime, sets := in.GetMTime(); sets {
		t.mtime = mtime
	}
	return nil
}

// writable refuses what comes after the rename that has sent it; t.mu is held.
func (t *temp) writable() error {
	if t.sum != "" {
		return errno.Refuse(syscall.EIO, "this was sent when it was renamed: open it again to write to it")
	}
	return nil
}

func (t *temp) Open(context.Context, uint32) (gofs.FileHandle, uint32, syscall.Errno) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.handles++
	return &tempHandle{}, fuse.FOPEN_DIRECT_IO, 0
}

func (t *temp) Read(_ context.Context, _ gofs.FileHandle, dest []byte, off int64) (fuse.ReadResult, syscall.Errno) {
	n, err := t.read(dest, off)
	if err != nil && err != io.EOF {
		return nil, t.fail("read", err)
	}
	return fuse.ReadResultData(dest[:n]), 0
}

func (t *temp) read(dest []byte, off int64) (int, error) {
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.sum == "" {
		return t.draft.ReadAt(dest, off)
	}
	f, err := t.Media.OpenContent(t.sum)
	if err != nil {
		return 0, err
	}
	defer f.Close()
	return f.ReadAt(dest, off)
}

func (t *temp) Write(_ context.Context, _ gofs.FileHandle, data []byte, off int64) (uint32, syscall.Errno) {
	n, err := t.write(data, request.WriteAt(off))
	return uint32(n), t.fail("write", err)
}

func (t *temp) write(data []byte, how request.Write) (int, error) {
	t.mu.Lock()
	defer t.mu.Unlock()
	if err := t.writable(); err != nil {
		return 0, err
	}
	if how.Append {
		how.Offset = t.draft.Size()
	}
	t.mtime = time.Now()
	return t.draft.WriteAt(data, how.Offset)
}

// Fsync makes what was written durable on this machine.
func (t *temp) Fsync(context.Context, gofs.FileHandle, uint32) syscall.Errno {
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.sum != "" {
		return 0
	}
	return t.fail("fsync", t.draft.Fsync())
}

func (t *temp) Release(context.Context, gofs.FileHandle) syscall.Errno {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.handles--
	t.endIfUnused()
	return 0
}

func (t *temp) fail(op string, err error) syscall.Errno {
	return t.Tell.Failed(op, virtual.Path(&t.Inode), 0, err)
}
