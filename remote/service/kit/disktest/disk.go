package disktest

import (
	"fmt"
	"path"
	"slices"
	"strconv"
	"strings"
)

// disk models what a program has changed below a directory, and which of the changes certainly
// survive a power cut.
type disk struct {
	dir   string
	root  *inode
	names []*nameChange // all changes, in order
	open  map[int]*file
}

// inode is a file or a directory.
type inode struct {
	path    string            // its latest name
	entries map[string]*inode // of a directory, as the program sees it; nil for a file
	content []byte            // of a file, as the program sees it
	safe    []byte            // the content after the safe changes that come first
	changes []*change         // all later changes
}

// change is a change of a file's content: data at an offset, or a new length.
type change struct {
	at     int64
	data   []byte
	resize bool // sets the length to at
	safe   bool
	end    int
}

func (c *change) apply(content []byte) []byte {
	if c.resize {
		if int64(len(content)) > c.at {
			return content[:c.at]
		}
		return grown(content, c.at)
	}
	content = grown(content, c.at+int64(len(c.data)))
	copy(content[c.at:], c.data)
	return content
}

func grown(content []byte, size int64) []byte {
	if more := size - int64(len(content)); more > 0 {
		return append(content, make([]byte, more)...)
	}
	return content
}

// nameChange changes entries of one directory, or of two directories at once.
type nameChange struct {
	sets []set
	safe bool
	end  int
}

// set is a change of a name in a directory; to is nil if it is removed.
type set struct {
	dir  *inode
	name string
	to   *inode
}

// file is an open file.
type file struct {
	*inode
	pos     int64
	appends bool
}

func newDisk(dir string) *disk {
	return &disk{dir: dir, root: &inode{path: ".", entries: map[string]*inode{}}, open: map[int]*file{}}
}

// at resolves a path, relative to the directory dirfd unless it is absolute: it returns the
// directory, the name in it, and the existing inode, if any. dir is nil for paths outside the
// disk.
func (d *disk) at(dirfd int, name string) (dir *inode, base string, found *inode) {
	full := name
	if !path.IsAbs(name) {
		from := d.open[dirfd]
		if from == nil || from.entries == nil {
			return nil, "", nil
		}
		full = path.Join(d.dir, from.path, name)
	}
	below, inside := strings.CutPrefix(path.Clean(full), d.dir)
	if !inside || below != "" && below[0] != '/' {
		return nil, "", nil
	}
	dir, found = nil, d.root
	for part := range strings.SplitSeq(below, "/") {
		if part == "" {
			continue
		}
		if found == nil || found.entries == nil {
			return nil, "", nil
		}
		dir, base = found, part
		found = dir.entries[part]
	}
	return dir, base, found
}

// rename applies changes of names at once.
func (d *disk) rename(end int, sets ...set) {
	for _, s := range sets {
		if s.to == nil {
			delete(s.dir.entries, s.name)
			continue
		}
		s.dir.entries[s.name] = s.to
		s.to.moved(path.Join(s.dir.path, s.name))
	}
	d.names = append(d.names, &nameChange{sets: sets, end: end})
}

// moved updates the paths of n and everything below it.
func (n *inode) moved(to string) {
	n.path = to
	for name, below := range n.entries {
		below.moved(path.Join(to, name))
	}
}

func (n *inode) change(c *change) {
	n.content = c.apply(n.content)
	n.changes = append(n.changes, c)
}

// sync marks the changes of n that ended before a line of the trace as safe.
func (d *disk) sync(n *inode, before int) {
	for _, c := range n.changes {
		c.safe = c.safe || c.end < before
	}
	for len(n.changes) > 0 && n.changes[0].safe {
		n.safe = n.changes[0].apply(n.safe)
		n.changes = n.changes[1:]
	}
	for _, c := range d.names {
		if c.end < before && slices.ContainsFunc(c.sets, func(s set) bool { return s.dir == n }) {
			c.safe = true
		}
	}
}

// syncAll syncs everything.
func (d *disk) syncAll(before int) {
	for _, c := range d.names {
		for _, s := range c.sets {
			d.sync(s.dir, before)
			if s.to != nil {
				d.sync(s.to, before)
			}
		}
	}
}

// do applies a call.
func (d *disk) do(c call) error {
	switch c.name {
	case "open":
		return d.openFile(c, -1, c.args[0], c.args[1])
	case "openat":
		return d.openFile(c, c.fd(0), c.args[1], c.args[2])
	case "close":
		delete(d.open, c.fd(0))
	case "lseek":
		if f := d.open[c.fd(0)]; f != nil {
			f.pos = c.result
		}
	case "write", "pwrite64", "ftruncate", "copy_file_range":
		return d.changeFile(c)
	case "fsync", "fdatasync":
		if f := d.open[c.fd(0)]; f != nil {
			d.sync(f.inode, c.begun)
		}
	case "syncfs", "sync":
		d.syncAll(c.begun)
	case "mkdir", "mkdirat", "unlink", "rmdir", "unlinkat", "rename", "renameat", "renameat2", "link", "linkat":
		return d.changeName(c)
	case "fallocate":
		if c.args[1] != "FALLOC_FL_KEEP_SIZE" { // it reserves space without changing the content
			return d.refuse(c)
		}
	default:
		return d.refuse(c)
	}
	return nil
}

// refuse returns an error for a call that the model does not support if it concerns one of the
// disk's files.
func (d *disk) refuse(c call) error {
	for i, arg := range c.args {
		if d.open[c.fd(i)] != nil || strings.HasPrefix(arg, d.dir+"/") {
			return fmt.Errorf("the disk model does not support %s", c.name)
		}
	}
	return nil
}

func (d *disk) openFile(c call, dirfd int, name, flags string) error {
	dir, base, found := d.at(dirfd, name)
	delete(d.open, int(c.result))
	if found == nil && (dir == nil || !strings.Contains(flags, "O_CREAT")) {
		if dir != nil {
			return fmt.Errorf("%s was opened, but never created", name)
		}
		return nil
	}
	if found == nil {
		found = &inode{}
		d.rename(c.end, set{dir, base, found})
	}
	if strings.Contains(flags, "O_TRUNC") && len(found.content) > 0 {
		found.change(&change{resize: true, end: c.end})
	}
	d.open[int(c.result)] = &file{inode: found, appends: strings.Contains(flags, "O_APPEND")}
	return nil
}

func (d *disk) changeFile(c call) error {
	into := 0
	if c.name == "copy_file_range" {
		into = 2
	}
	f := d.open[c.fd(into)]
	if f == nil {
		return nil
	}
	switch c.name {
	case "write":
		if f.appends {
			f.pos = int64(len(f.content))
		}
		f.change(&change{at: f.pos, data: []byte(c.args[1])[:c.result], end: c.end})
		f.pos += c.result
	case "pwrite64":
		f.change(&change{at: c.number(3), data: []byte(c.args[1])[:c.result], end: c.end})
	case "ftruncate":
		f.change(&change{at: c.number(1), resize: true, end: c.end})
	case "copy_file_range":
		from := d.open[c.fd(0)]
		if from == nil {
			return d.refuse(c)
		}
		at, to := c.place(from, 1), c.place(f, 3)
		f.change(&change{at: to, data: slices.Clone(from.content[at : at+c.result]), end: c.end})
	}
	return nil
}

// place returns the offset in f that an argument gives. Without one, the call starts at the file's
// position and moves it.
func (c call) place(f *file, i int) int64 {
	if c.args[i] != "NULL" {
		return c.number(i)
	}
	f.pos += c.result
	return f.pos - c.result
}

func (d *disk) changeName(c call) error {
	name := strings.TrimSuffix(c.name, "2")
	where := func(i int) (*inode, string, *inode) {
		if strings.HasSuffix(name, "at") {
			if fd, is := strings.CutPrefix(c.args[2*i+1], "/proc/self/fd/"); is {
				if n, err := strconv.Atoi(fd); err == nil && d.open[n] != nil {
					return d.root, fd, d.open[n].inode
				}
			}
			return d.at(c.fd(2*i), c.args[2*i+1])
		}
		return d.at(-1, c.args[i])
	}
	dir, base, found := where(0)
	switch strings.TrimSuffix(name, "at") {
	case "mkdir":
		if dir != nil {
			d.rename(c.end, set{dir, base, &inode{entries: map[string]*inode{}}})
		}
	case "unlink", "rmdir":
		if dir != nil {
			d.rename(c.end, set{dir, base, nil})
		}
	default:
		to, toBase, _ := where(1)
		switch {
		case dir == nil && to == nil:
		case dir == nil || to == nil || found == nil:
			return fmt.Errorf("%s of %s to or from outside the disk", c.name, base)
		case strings.HasPrefix(name, "link"):
			d.rename(c.end, set{to, toBase, found})
		default:
			d.rename(c.end, set{dir, base, nil}, set{to, toBase, found})
		}
	}
	return nil
}
