package recovery

import (
	"bytes"
	"errors"
	"io"
	"maps"
	"os"
	"path/filepath"
	"slices"

	"paperfs/cache/content/disk"
	"paperfs/cache/content/failed"
	"paperfs/cache/content/inode"
	"paperfs/cache/content/journal"
	"paperfs/cache/content/spool"
	"paperfs/cache/content/tree"
)

// Rescue puts the content that the service lacks, and that the next mount would not find under its name, into failed/ of a new
// state, with a reason. kept counts what it has put there, gone what is nowhere any more: no descriptor had it open. The store
// must be closed.
func (s *Recovery) Rescue(st journal.State, reason error) (kept, gone int, err error) {
	r := &rescue{Recovery: s, why: tree.Verdict{Reason: reason}}
	if r.rows, err = journal.Spools(st.DB()); err != nil {
		return 0, 0, err
	}
	r.room.Disk, r.spools = disk.Disk{Dir: st.Dir("spool"), Reserve: -1}, st.Dir("spool")
	r.failures = failed.Store{DB: st.DB(), Dir: st.Dir("failed"), Room: &r.room, Now: s.o.Now, Sync: s.bodies.Spools.SyncDir,
		Written: func() error { return nil }, Temporary: s.names.Temporary, Log: s.o.Log}
	if err := errors.Join(r.failures.Load(), r.failures.Forget()); err != nil {
		return 0, 0, err
	}
	for _, ino := range slices.Sorted(maps.Keys(s.names.Nodes)) {
		n := s.names.Nodes[ino]
		if n.Kind != inode.File {
			continue
		}
		b := n.Body()
		for _, sp := range slices.Compact([]*spool.File{b.Spool, b.Pending}) { // the newer one gets the name
			if sp != nil && sp.Size > 0 && (n.Local() || n.Dirty() || n.Queued() || n.Stray()) {
				err = errors.Join(err, r.take(n, sp))
			}
		}
	}
	return r.kept, r.gone, err
}

// KeepCopies reads the copies of queued content for Rescue, which has this database no more.
func (s *Recovery) KeepCopies() {
	s.lastCopies = make(map[inode.Ino][]byte)
	for ino, n := range s.names.Nodes {
		if n.Copied {
			s.lastCopies[ino], _ = s.copyOf(ino) // what cannot be read is gone
		}
	}
}

// rescue is what Rescue does, and has done.
type rescue struct {
	*Recovery
	rows       map[uint64]bool // the serials that the rows of the new state name
	why        tree.Verdict
	spools     string
	room       disk.Room
	failures   failed.Store
	kept, gone int
}

// take takes one content.
func (r *rescue) take(n *tree.Node, sp *spool.File) error {
	named := sp.F == nil || sp.Named()
	if _, err := os.Lstat(sp.Path); err != nil {
		named = false
	}
	if r.rows[sp.Serial] && (named || n.Copied && sp == n.Body().Pending) {
		return nil // the next mount finds it, and what to do with it
	}
	path, why := filepath.Join(r.spools, filepath.Base(sp.Path)), r.why
	why.Partial = sp.Lack != nil || n.Body().Verdict().Partial
	if !named {
		content := r.content(n, sp)
		if content == nil {
			r.gone++
			return nil
		}
		if err := copyTo(path+spool.UnfinishedEnd, content); err != nil {
			return err
		}
		if err := os.Rename(path+spool.UnfinishedEnd, path); err != nil {
			return err
		}
	}
	err := r.failures.AddOlder(path, failed.EntryOf(n, sp.Size, why))
	if err == nil {
		r.kept++
	}
	return err
}

// content returns what is left of a spool that has no file any more: what a descriptor holds, or the database; nil if nothing is.
func (r *rescue) content(n *tree.Node, sp *spool.File) io.Reader {
	switch {
	case sp.F != nil:
		return io.NewSectionReader(sp.F, 0, sp.Size)
	case r.lastCopies[n.Ino] != nil && sp == n.Body().Pending:
		return bytes.NewReader(r.lastCopies[n.Ino])
	}
	return nil
}

// copyTo writes a file durably.
func copyTo(path string, from io.Reader) error {
	to, err := os.OpenFile(path, os.O_WRONLY|os.O_CREATE|os.O_TRUNC, 0o600)
	if err != nil {
		return err
	}
	_, err = io.Copy(to, from)
	return errors.Join(err, to.Sync(), to.Close())
}

// MoveUnsent moves what is queued or in failed/ here to failed/ of another store, whose service has other data, with a reason for what
// was queued. Names that stay on this machine stay here. The store must be Paused. After an error the rest is moved by another call.
func (s *Recovery) MoveUnsent(to *Recovery, reason error) (moved int, err error) {
	if err := errors.Join(s.queue.FailDir(s.names.Root, reason), s.failPDFs(reason), s.names.Sync()); err != nil {
		return 0, err
	}
	for _, e := range s.bodies.Failures.List() {
		to.bodies.Room.Add(e.Size)
		if err := to.bodies.Failures.AddForeign(s.bodies.Failures.File(e.ID), e); err != nil {
			to.bodies.Room.Give(e.Size)
			return moved, err
		}
		moved++
		if err := s.bodies.Failures.Take(e); err != nil {
			return moved, err
		}
	}
	return moved, nil
}
