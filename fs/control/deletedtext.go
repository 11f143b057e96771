package control

import (
	"context"
	"fmt"
	"sync/atomic"
	"syscall"
	"time"

	"paperfs/fs/caller"
	"paperfs/fs/errno"
	"paperfs/fs/virtual"
	"paperfs/remote"
)

// deletedText is what tells about a directory, category or paper that was deleted. A process that reads and then
// removes it moves it to another file system (mv): the thing itself is not in the copy, so that is refused once.
type deletedText struct {
	virtual.Document
	reader atomic.Uint32 // the process that has read it last, 0 for none
}

func newDeletedText(env *virtual.Env, about virtual.About, e remote.Entry) *deletedText {
	text := describe(e)
	t := &deletedText{}
	t.Env, t.About, t.Mode = env, about, 0o400
	t.Known = func() (int, bool) { return len(text), true }
	t.Load = func(ctx context.Context) ([]byte, error) {
		t.reader.Store(caller.Process(caller.Thread(ctx)))
		return text, nil
	}
	return t
}

// takeReader reports whether the calling process has read the text last, and forgets that.
func (t *deletedText) takeReader(ctx context.Context) bool {
	process := caller.Process(caller.Thread(ctx))
	return process != 0 && t.reader.CompareAndSwap(process, 0)
}

var errCopied = errno.Refuse(syscall.EPERM, "only the text that tells about it was copied, so it stays here: mv into media/ or papers/ brings it back, rm removes it for good")

// describe returns what a program reads of what has no content of its own.
func describe(e remote.Entry) []byte {
	where, comes := "papers/", "with all that it had"
	switch e.Kind {
	case "directory":
		where, comes = "media/", "empty, what was in it is listed beside it"
	case "category":
		comes = "empty, what was in it is listed beside it"
	}
	return fmt.Appendf(nil, `The %s %q was deleted by %s at %s.
It was %s. mv of this file into %s brings it back (%s), under any name;
paperfs undo brings back all that you deleted at a path.
`, e.Kind, e.Name, e.Account, e.At.Local().Format(time.DateTime), e.Path, where, comes)
}
