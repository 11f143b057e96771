package flush

import (
	"sync"

	"paperfs/fs/caller"
	"paperfs/fs/mountpoint"
)

// Judge judges the files of one mount.
type Judge struct{ device func() string }

// NewJudge returns the judge for the mount on dir, which must exist by the first
// FLUSH.
func NewJudge(dir string) *Judge {
	return &Judge{sync.OnceValue(func() string {
		m, _, _ := mountpoint.At(dir)
		return m.Device // empty if the table does not have it
	})}
}

// Open starts watching a file that thread tid opens for writing. ino is its inode number;
// mappable says that programs can map it. The watch ends with Released.
func (j *Judge) Open(tid uint32, ino uint64, mappable bool) *File {
	f := &File{judge: j, ino: ino, mappable: mappable}
	if p := f.join(tid, party{opener: true}); p != nil {
		f.opener = p.ID
	}
	return f
}

// file returns f as descriptors name it.
func (f *File) file() caller.File { return caller.File{Ino: f.ino, Device: f.judge.device()} }
