package recovery

import (
	"bytes"
	"os"
	"slices"

	"paperfs/cache/content/inode"
	"paperfs/cache/content/journal"
	"paperfs/cache/content/spool"
)

// loadCopies loads which copies exist and removes unused ones. It restores each queued spool that
// differs from its copy: the spool was not synced, and its disk may have lost power with or without
// the machine.
func (s *Recovery) loadCopies(leftovers map[inode.Ino][]uint64, rows map[inode.Ino]journal.Spool) error {
	copied, err := s.copied()
	if err != nil {
		return err
	}
	for _, ino := range copied {
		n := s.names.Nodes[ino]
		if n == nil || !n.Queued() || n.Kind != inode.File {
			if _, err := s.o.State.DB().Exec("DELETE FROM media_copy WHERE ino = ?", ino); err != nil {
				return err
			}
			continue
		}
		s.names.CopiedLocked(n)
		was := rows[ino]
		if s.bodies.Failures.Has(spool.Name(was.Serial)) {
			continue // moved to failed/ just before the crash
		}
		if err := s.restoreCopy(ino, was.Serial, leftovers, rows); err != nil {
			return err
		}
	}
	return nil
}

// copied returns the inodes whose content has a copy.
func (s *Recovery) copied() (inodes []inode.Ino, err error) {
	rows, err := s.o.State.DB().Query("SELECT ino FROM media_copy")
	if err != nil {
		return nil, err
	}
	defer rows.Close()
	for rows.Next() {
		var ino inode.Ino
		if err := rows.Scan(&ino); err != nil {
			return nil, err
		}
		inodes = append(inodes, ino)
	}
	return inodes, rows.Err()
}

// copyOf returns the copy of an inode's content.
func (s *Recovery) copyOf(ino inode.Ino) (content []byte, err error) {
	err = s.o.State.DB().QueryRow("SELECT content FROM media_copy WHERE ino = ?", ino).Scan(&content)
	return content, err
}

// restoreCopy writes the copy of an inode's content to its queued spool, unless that has the same
// content.
func (s *Recovery) restoreCopy(ino inode.Ino, serial uint64, leftovers map[inode.Ino][]uint64, rows map[inode.Ino]journal.Spool) error {
	content, err := s.copyOf(ino)
	if err != nil {
		return err
	}
	rows[ino] = journal.Spool{Serial: serial, Size: int64(len(content)), Draft: rows[ino].Draft}
	if !slices.Contains(leftovers[ino], serial) {
		leftovers[ino] = append(leftovers[ino], serial)
	}
	path := s.bodies.Spools.PathOf(serial)
	if there, err := os.ReadFile(path); err == nil && bytes.Equal(there, content) {
		return nil
	}
	return os.WriteFile(path, content, 0o600)
}
