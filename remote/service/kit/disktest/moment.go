package disktest

import (
	"bytes"
	"crypto/sha256"
	"fmt"
	"io/fs"
	"maps"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
)

// Moment is a moment at which the power may fail.
type Moment struct {
	Said []string // by Say, so far
	Next string   // the call that is about to end; "" at the end of the program
	disk *disk
}

// Kept decides which unsafe changes, of a file's content or of a name, reach the disk anyway. The
// path is that of the file or name in the recorded directory.
type Kept func(path string, name bool) bool

// Nothing keeps no unsafe change.
func Nothing(string, bool) bool { return false }

// Names keeps names, but not unsynced contents.
func Names(_ string, name bool) bool { return name }

// Contents keeps contents, but not names whose directory was not synced.
func Contents(_ string, name bool) bool { return !name }

// Some keeps unsafe changes at random.
func Some(random *rand.Rand) Kept {
	return func(string, bool) bool { return random.IntN(2) == 0 }
}

// Moments visits the moments just before a change of the disk other than a write: at these, the
// most is unsafe. The last moment is the end of the program.
func (r *Recording) Moments(visit func(Moment)) {
	d := newDisk(r.dir)
	var said []string
	for _, c := range r.calls {
		switch c.name {
		case "write":
			said = append(said, c.said()...)
		case "fsync", "fdatasync", "syncfs", "unlink", "unlinkat", "rename", "renameat", "renameat2":
			visit(Moment{said, c.name, d})
		}
		_ = d.do(c) // faithful has checked that it works
	}
	visit(Moment{said, "", d})
}

// said returns what the program says with a call.
func (c call) said() (said []string) {
	if c.fd(0) != 1 {
		return nil
	}
	for line := range strings.Lines(c.args[1]) {
		if text, ok := strings.CutPrefix(line, sayMark); ok {
			said = append(said, strings.TrimSuffix(text, "\n"))
		}
	}
	return said
}

// Restore writes the content of the disk at this moment into an empty directory. It leaves out
// SQLite's shared-memory index: that is not on the disk.
func (m Moment) Restore(dir string, kept Kept) error {
	return m.disk.entries(kept).write(m.disk.root, dir, kept)
}

// Print returns equal text for two moments at which disks with the same kept have the same
// content.
func (m Moment) Print(kept Kept) string {
	var b bytes.Buffer
	m.disk.entries(kept).print(&b, m.disk.root, ".", kept)
	return b.String()
}

// entries are the names in each directory.
type entries map[*inode]map[string]*inode

func (d *disk) entries(kept Kept) entries {
	e := entries{}
	for _, c := range d.names {
		last := c.sets[len(c.sets)-1]
		if !c.safe && !kept(filepath.Join(last.dir.path, last.name), true) {
			continue
		}
		for _, s := range c.sets {
			if e[s.dir] == nil {
				e[s.dir] = map[string]*inode{}
			}
			e[s.dir][s.name] = s.to
		}
	}
	return e
}

func (e entries) write(dir *inode, to string, kept Kept) error {
	if err := os.MkdirAll(to, 0o700); err != nil {
		return err
	}
	for name, n := range e[dir] {
		var err error
		switch {
		case n == nil || isShared(name):
		case n.entries != nil:
			err = e.write(n, filepath.Join(to, name), kept)
		default:
			err = os.WriteFile(filepath.Join(to, name), n.kept(kept), 0o600)
		}
		if err != nil {
			return err
		}
	}
	return nil
}

func isShared(name string) bool { return strings.HasSuffix(name, "-shm") }

// kept returns the content of n on a disk.
func (n *inode) kept(kept Kept) []byte {
	content := bytes.Clone(n.safe)
	for _, c := range n.changes {
		if c.safe || kept(n.path, false) {
			content = c.apply(content)
		}
	}
	return content
}

// faithful checks that the model ends with the same files as the real directory.
func (r *Recording) faithful() error {
	d := newDisk(r.dir)
	for _, c := range r.calls {
		if err := d.do(c); err != nil {
			return fmt.Errorf("line %d of the trace: %w", c.end, err)
		}
	}
	all := func(string, bool) bool { return true }
	copied, err := os.MkdirTemp("", "disktest-")
	if err != nil {
		return err
	}
	defer os.RemoveAll(copied)
	if err := (Moment{disk: d}).Restore(copied, all); err != nil {
		return err
	}
	for _, pair := range [][2]string{{r.dir, copied}, {copied, r.dir}} {
		if err := same(pair[0], pair[1]); err != nil {
			return err
		}
	}
	return nil
}

// same returns an error unless the files in one directory are also in the other.
func same(one, other string) error {
	return filepath.WalkDir(one, func(path string, e fs.DirEntry, err error) error {
		if err != nil || e.IsDir() || isShared(path) {
			return err
		}
		name, _ := filepath.Rel(one, path)
		here, err := os.ReadFile(path)
		if err != nil {
			return err
		}
		there, err := os.ReadFile(filepath.Join(other, name))
		if err == nil && !bytes.Equal(here, there) {
			err = fmt.Errorf("%s has different content", name)
		}
		return err
	})
}

// print appends the content of a directory to b.
func (e entries) print(b *bytes.Buffer, dir *inode, at string, kept Kept) {
	for _, name := range slices.Sorted(maps.Keys(e[dir])) {
		n, path := e[dir][name], filepath.Join(at, name)
		switch {
		case n == nil || isShared(name):
		case n.entries != nil:
			e.print(b, n, path, kept)
		default:
			fmt.Fprintf(b, "%s %x\n", path, sha256.Sum256(n.kept(kept)))
		}
	}
}
