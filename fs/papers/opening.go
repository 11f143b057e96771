package papers

import (
	"context"
	"errors"
	"io"
	"os"
	"sync"
	"sync/atomic"
	"syscall"
	"time"

	gofs "github.com/hanwen/go-fuse/v2/fs"
	"github.com/hanwen/go-fuse/v2/fuse"

	"paperfs/fs/errno"
	"paperfs/fs/flush"
	"paperfs/fs/request"
	"paperfs/fs/virtual"
)

var (
	_ gofs.FileReader   = (*opening)(nil)
	_ gofs.FileWriter   = (*opening)(nil)
	_ gofs.FileFlusher  = (*opening)(nil)
	_ gofs.FileFsyncer  = (*opening)(nil)
	_ gofs.FileReleaser = (*opening)(nil)
)

func readFrom(readAt func([]byte, int64) (int, error), dest []byte, off int64, fail func(op string, err error) syscall.Errno) (fuse.ReadResult, syscall.Errno) {
	n, err := readAt(dest, off)
	if err != nil && err != io.EOF {
		return nil, fail("read", err)
	}
	return fuse.ReadResultData(dest[:n]), 0
}

// opening is a handle of pending content, with all duplicates of its descriptor.
type opening struct {
	*pending
	by     *gofs.Inode   // what was opened
	opener uint32        // the thread that did
	uses   *flush.File   // nil: it is open for reading only
	gen    atomic.Uint64 // of the draft, as it was written here last; 0: never
	seen   atomic.Uint64 // the greatest of those that a close has answered for: it was sent, has failed, or was left to another
	cuts   atomic.Bool   // it has truncated a PDF, and nothing was written to that yet
	other  string        // the name that it has begun, of others

	lacks atomic.Pointer[error] // why a write never came to the draft; nil since it was emptied

	mu   sync.Mutex // guards sent
	sent *os.File   // what was sent, once the pending has ended
}

// shownAs is the path that is told. A temp that is a PDF's now has another inode at its name.
func (o *opening) shownAs() string {
	if _, was := o.by.Operations().(*temp); was {
		if to := o.place(); to != nil {
			return to.name
		}
	}
	return virtual.Path(o.by)
}

func (o *opening) tell(op string, err error) syscall.Errno {
	return o.Tell.Tell(op, o.shownAs(), o.paper.Load(), err)
}

// fail is tell for a step on the way to a PDF that is sent.
func (o *opening) fail(op string, err error) syscall.Errno {
	if err == nil {
		return 0
	}
	return o.Tell.Failed(op, o.shownAs(), o.paper.Load(), err)
}

func (o *opening) Read(_ context.Context, dest []byte, off int64) (fuse.ReadResult, syscall.Errno) {
	return readFrom(o.readAt, dest, off, o.fail)
}

// readAt goes on with what was sent, where the last writer has closed it.
func (o *opening) readAt(dest []byte, off int64) (int, error) {
	n, err := o.pending.readAt(dest, off)
	if !errors.Is(err, os.ErrClosed) {
		return n, err
	}
	o.mu.Lock()
	defer o.mu.Unlock()
	if o.sent == nil {
		if o.sent, err = o.openContent(o.paper.Load(), o.draft.SHA256()); err != nil {
			return 0, errno.Refuse(syscall.EIO, "this file is closed: its content was sent and not kept, or is in .paperfs/failed")
		}
	}
	return o.sent.ReadAt(dest, off)
}

func (o *opening) Write(ctx context.Context, data []byte, off int64) (uint32, syscall.Errno) {
	if o.uses == nil {
		return 0, syscall.EBADF
	}
	o.uses.Wrote(threadOf(ctx))
	n, err := o.write(data, request.WriteAt(off))
	return uint32(n), o.fail("write", err)
}

func (o *opening) write(data []byte, how request.Write) (n int, err error) {
	p := o.pending
	p.mu.Lock()
	defer p.mu.Unlock()
	p.drafts.wrote(p)
	if err = p.fill(); err == nil {
		err = o.trim()
	}
	if err != nil {
		o.lacks.Store(&err)
		return 0, err
	}
	if how.Append {
		how.Offset = p.draft.Size()
	}
	p.mtime.Store(time.Now().UnixNano())
	n, err = p.draft.WriteAt(data, how.Offset)
	o.gen.Store(p.draft.Generation())
	return n, err
}

// truncate changes the length.
func (o *opening) truncate(thread uint32, size int64) error {
	if o.uses != nil {
		o.uses.Truncated(thread)
	}
	if o.trimsLater(size) {
		o.cuts.Store(true)
		return nil
	}
	err := o.resize(size)
	if err == nil && size == 0 {
		o.lacks.Store(nil)
		o.drafts.overwrites(o)
	}
	o.gen.Store(o.draft.Generation())
	return err
}

// Flush sends what was written, where this close is the one that does, with its
// outcome. What a killed program has left is half a PDF and is not sent. Where another
// opening has written as well, its close sends.
func (o *opening) Flush(ctx context.Context) syscall.Errno {
	if o.uses == nil {
		return 0
	}
	if o.cuts.Load() && (!o.written.Load() || len(o.lengths()) > 0) {
		if verdict, _ := o.uses.Flushed(threadOf(ctx)); verdict == flush.Spoil {
			o.drafts.restore(o.pending)
			o.untrim()
		}
		o.seen.Store(o.gen.Load()) // this close sends nothing, and no other has to wait for one that does
		return 0
	}
	if o.drafts.closesLocal(o, threadOf(ctx)) {
		return 0
	}
	gen := o.gen.Load()
	if lacks := o.lacks.Load(); lacks != nil {
		o.uses.FlushedClean(threadOf(ctx))
		if o.unsent() {
			o.draft.Spoil(*lacks)
		}
		return o.fail("process", *lacks)
	}
	if !o.written.Load() || o.gone.Load() || o.draft.Sent(gen) {
		o.uses.FlushedClean(threadOf(ctx))
		return 0
	}
	judge := o.uses.LastFlushed
	if o.drafts.again(o) {
		judge = o.uses.Flushed // what a program has open may be the other, as a lock
	}
	verdict, spoiled := judge(threadOf(ctx))
	if verdict == flush.Leave {
		return 0
	}
	o.seen.Store(gen)
	if verdict == flush.Spoil {
		o.draft.Spoil(spoiled)
		return o.fail("process", spoiled)
	}
	if o.drafts.leaves(o) {
		return 0
	}
	if o.Media.WriteBack() {
		return o.fail("process", o.queue())
	}
	if o.draft.Queued() { // by a mount with --write-back, before this one: what is sent now replaces that
		o.draft.Unqueue()
	}
	err := virtual.Change(ctx, o.send, func(err error) { o.tell("process", err) })
	return o.tell("process", err)
}

// unsent reports whether a close is to come that sends what was written here.
func (o *opening) unsent() bool {
	gen := o.gen.Load()
	return o.uses != nil && gen > o.seen.Load() && !o.draft.Sent(gen)
}

// Fsync makes what was written durable on this machine; only a close sends.
func (o *opening) Fsync(context.Context, uint32) syscall.Errno {
	return o.fail("fsync", o.draft.Fsync())
}

func (o *opening) Release(ctx context.Context) syscall.Errno {
	if o.uses != nil {
		_ = o.uses.Released() // no mapping can have changed it since: it is past the page cache
	}
	o.mu.Lock()
	if o.sent != nil {
		o.sent.Close()
	}
	o.mu.Unlock()
	if o.other != "" {
		o.others.end(o.paper.Load(), o.other, o.written.Load() && !o.gone.Load() && o.draft.Failure() == nil)
	}
	if o.drafts.leave(o) {
		o.end(ctx)
	}
	return 0
}
