package media

import (
	"bytes"
	"fmt"
	"io"
	"os"
	"slices"

	"paperfs/cache/content/journal"
	"paperfs/cache/content/spool"
	"paperfs/cache/content/tree"
)

// This file makes queued content survive a power loss. Large content is synced in the spool.
// Small content is copied into the database together with the row that queues it, which takes
// one sync instead of three. It is still read and sent from the spool file, which is intact if
// only the process ended.

const (
	// smallCopy is the largest size, in bytes, of content that is copied.
	smallCopy = 64 << 10
	// mostCopies limits the number of copies, since the database file does not shrink.
	mostCopies = 2000
)

// hardenBodyLocked makes n's spool durable, or returns a copy for enqueueLocked; Body.Mu must
// be held.
func (s *Store) hardenBodyLocked(n *tree.Node) (copied []byte, err error) {
	if v := n.Body().Verdict(); v.Final {
		return nil, v.Reason
	}
	sp := n.Body().Spool
	s.mu.RLock()
	many := s.copies >= mostCopies
	s.mu.RUnlock()
	if sp == nil || many || n.PDF != nil || sp.Size > smallCopy {
		if err := s.spools.Sync(sp); err != nil || sp == nil {
			return nil, err
		}
		sp.Keep()
		return nil, nil
	}
	copied = make([]byte, sp.Size)
	if _, err := io.ReadFull(io.NewSectionReader(sp.F, 0, sp.Size), copied); err != nil {
		return nil, fmt.Errorf("reading content to be queued: %w", err)
	}
	return copied, nil
}

// setCopyLocked replaces the copy of n's content in the database, or removes it if copied is
// nil; s.mu must be held. The caller must call saveLocked.
func (s *Store) setCopyLocked(n *tree.Node, copied []byte) {
	s.dropCopyLocked(n)
	if copied != nil {
		s.copyChanges = append(s.copyChanges, journal.CopyChange{Ino: n.Ino, Content: copied})
		n.Own().Copied = true
		s.copies++
	}
}

// dropCopyLocked removes the copy of n's content from the database; s.mu must be held. The
// caller must call saveLocked.
func (s *Store) dropCopyLocked(n *tree.Node) {
	if n.Copied {
		s.copyChanges = append(s.copyChanges, journal.CopyChange{Ino: n.Ino})
		n.Own().Copied = false
		s.copies--
	}
}

// loadCopies loads which copies exist and removes unused ones. It restores each queued spool that
// differs from its copy: the spool was not synced, and its disk may have lost power with or without
// the machine.
func (s *Store) loadCopies(leftovers map[Ino][]uint64, rows map[Ino]journal.Spool) error {
	copied, err := s.copied()
	if err != nil {
		return err
	}
	for _, ino := range copied {
		n := s.nodes[ino]
		if n == nil || !n.Queued() || n.Kind != File {
			if _, err := s.o.State.DB().Exec("DELETE FROM media_copy WHERE ino = ?", ino); err != nil {
				return err
			}
			continue
		}
		n.Own().Copied = true
		s.copies++
		was := rows[ino]
		if s.failures.Has(spool.Name(was.Serial)) {
			continue // moved to failed/ just before the crash
		}
		if err := s.restoreCopy(ino, was.Serial, leftovers, rows); err != nil {
			return err
		}
	}
	return nil
}

// copied returns the inodes whose content has a copy.
func (s *Store) copied() (inodes []Ino, err error) {
	rows, err := s.o.State.DB().Query("SELECT ino FROM media_copy")
	if err != nil {
		return nil, err
	}
	defer rows.Close()
	for rows.Next() {
		var ino Ino
		if err := rows.Scan(&ino); err != nil {
			return nil, err
		}
		inodes = append(inodes, ino)
	}
	return inodes, rows.Err()
}

// copyOf returns the copy of an inode's content.
func (s *Store) copyOf(ino Ino) (content []byte, err error) {
	err = s.o.State.DB().QueryRow("SELECT content FROM media_copy WHERE ino = ?", ino).Scan(&content)
	return content, err
}

// restoreCopy writes the copy of an inode's content to its queued spool, unless that has the same
// content.
func (s *Store) restoreCopy(ino Ino, serial uint64, leftovers map[Ino][]uint64, rows map[Ino]journal.Spool) error {
	content, err := s.copyOf(ino)
	if err != nil {
		return err
	}
	rows[ino] = journal.Spool{Serial: serial, Size: int64(len(content)), Draft: rows[ino].Draft}
	if !slices.Contains(leftovers[ino], serial) {
		leftovers[ino] = append(leftovers[ino], serial)
	}
	path := s.spools.PathOf(serial)
	if there, err := os.ReadFile(path); err == nil && bytes.Equal(there, content) {
		return nil
	}
	return os.WriteFile(path, content, 0o600)
}
