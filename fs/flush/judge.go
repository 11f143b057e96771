package flush

import (
	"sync"

	"paperfs/fs/caller"
	"paperfs/fs/mountpoint"
)

// Judge judges the files of one mount.
type Judge struct{ device func() string }

// NewJudge makes the judge of what is mounted on a directory, or will be before
// the first FLUSH.
func NewJudge(dir string) *Judge {
	return &Judge{sync.OnceValue(func() string {
		m, _, _ := mountpoint.At(dir)
		return m.Device // empty where the table does not have it
	})}
}

// Open begins to watch a file with an inode number that thread tid opens for
// writing; maps tells that it can also be mapped. It ends with Released.
func (j *Judge) Open(tid uint32, ino uint64, maps bool) *File {
	f := &File{judge: j, ino: ino, maps: maps}
	if p := f.join(tid, party{opener: true}); p != nil {
		f.opener = p.ID
	}
	return f
}

// file names f as descriptors do.
func (f *File) file() caller.File { return caller.File{Ino: f.ino, Device: f.judge.device()} }
