package journal

import (
	"encoding/binary"
	"errors"
	"io/fs"
	"os"
	"syscall"

	"paperfs/cache/content/disk"
	"paperfs/cache/content/inode"
)

// tombstones is a log of what the rows do not say yet: which inodes were removed locally, and which
// spools were begun, with their paths. Writing a row waits for other rows; a log entry takes a tenth of
// the time, so neither needs to wait, and a kill undoes no removal and leaves no content without a
// name. The log is never synced: after a power loss only the rows count.
type tombstones struct {
	path string
	f    *os.File // nil before the first entry
	size int64
	last uint64 // number of the newest logged change
}

// lineSize is the size of a removal, an inode number, in bytes. A spool takes a line with the length of
// its path and the bit ofSpool, one with its serial, one with its inode, and its path.
const (
	lineSize = 8
	ofSpool  = 1 << 63
)

// Begun is a spool in the log.
type Begun struct {
	Serial uint64
	Ino    inode.Ino
	Path   string
}

// NoteRemoved logs that a change removed an inode.
func (t *Table) NoteRemoved(ino inode.Ino, change uint64) error {
	return t.note(binary.LittleEndian.AppendUint64(nil, uint64(ino)), change)
}

// NoteBegun logs a spool, whose row a change writes.
func (t *Table) NoteBegun(b Begun, change uint64) error { return t.note(b.entry(), change) }

func (b Begun) entry() []byte {
	entry := make([]byte, 0, 3*lineSize+len(b.Path))
	for _, line := range []uint64{ofSpool | uint64(len(b.Path)), b.Serial, uint64(b.Ino)} {
		entry = binary.LittleEndian.AppendUint64(entry, line)
	}
	return append(entry, b.Path...)
}

func (t *Table) note(entry []byte, change uint64) error {
	t.mu.Lock()
	defer t.mu.Unlock()
	err := t.tombstones.add(entry, change)
	if errors.Is(err, syscall.ENOSPC) && t.ballast.drop() {
		err = t.tombstones.add(entry, change)
	}
	return err
}

// Logged returns the inodes and the spools that an earlier run logged. Their entries stay until the
// changes are written that were made before KeepLogged.
func (t *Table) Logged() ([]inode.Ino, []Begun, error) { return t.tombstones.replay() }

// KeepLogged lets the entries of an earlier run be removed once a change is written.
func (t *Table) KeepLogged(change uint64) { t.tombstones.last = change }

// DropLogged removes the log of an earlier run.
func (t *Table) DropLogged() error {
	if err := os.Remove(t.tombstones.path); !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	return nil
}

func (r *tombstones) add(entry []byte, change uint64) error {
	if err := r.open(); err != nil {
		return err
	}
	if _, err := r.f.WriteAt(entry, r.size); err != nil {
		r.close()
		return err
	}
	disk.CrashPoint("removal noted")
	r.size += int64(len(entry))
	r.last = max(r.last, change)
	return nil
}

// open opens the log, without what a kill or a full disk cut: nothing is behind the last entry when the next one is written,
// so no rest of an entry passes for others.
func (r *tombstones) open() (err error) {
	if r.f != nil {
		return nil
	}
	if r.f, err = os.OpenFile(r.path, os.O_RDWR|os.O_CREATE, 0o600); err == nil {
		err = r.f.Truncate(r.size)
	}
	if err != nil {
		r.close()
	}
	return err
}

// written empties the log once all its rows are written; changes up to upto are.
func (r *tombstones) written(upto uint64) {
	if r.size == 0 || r.last > upto {
		return
	}
	if r.open() == nil && r.f.Truncate(0) == nil { // keeping it is harmless, since numbers are not reused
		r.size = 0
	}
}

func (r *tombstones) replay() (inodes []inode.Ino, spools []Begun, err error) {
	content, err := os.ReadFile(r.path)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil, nil
	}
	number := func(at int) uint64 { return binary.LittleEndian.Uint64(content[at:]) }
	r.size = 0
	for rest := len(content); rest >= lineSize; rest = len(content) - int(r.size) {
		at, line := int(r.size), number(int(r.size))
		if line&ofSpool == 0 {
			inodes = append(inodes, inode.Ino(line))
			r.size += lineSize
			continue
		}
		length := line &^ ofSpool
		if uint64(rest) < 3*lineSize+length { // cut
			break
		}
		r.size += 3*lineSize + int64(length)
		spools = append(spools, Begun{number(at + lineSize), inode.Ino(number(at + 2*lineSize)), string(content[at+3*lineSize : r.size])})
	}
	return inodes, spools, err
}

func (r *tombstones) close() {
	if r.f != nil {
		_ = r.f.Close() // nothing is buffered
		r.f = nil
	}
}
