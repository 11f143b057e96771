package service

import (
	"io"
	"os"
	"slices"
	"sync"
)

const (
	// keepFrom is the least answer worth keeping, in bytes on the wire: a
	// smaller one is made again in some milliseconds.
	keepFrom = 32 << 10
	// keepMost is how many answers are kept.
	keepMost = 8
)

// keptAnswers holds large answers as they went over the wire, so that what did
// not change is not made again. They lie in files without a name: nothing of
// them outlives the process.
type keptAnswers struct {
	dir  string // of the files
	from int    // keepFrom
	mu   sync.Mutex
	list []*keptAnswer // guarded by mu; last used first
}

// answerKey is what an answer depends on beside the version of the tree.
type answerKey struct {
	tenant, node int64
	rootURL      string
	accepts      bool // the client takes gzip
}

type keptAnswer struct {
	key     answerKey
	version int64
	file    *os.File
	size    int64
	zipped  bool
	users   int // guarded by keptAnswers.mu; the list is one
}

// find gives an answer that was made at this version, nil where there is none.
// The caller releases it.
func (k *keptAnswers) find(key answerKey, version int64) *keptAnswer {
	k.mu.Lock()
	defer k.mu.Unlock()
	i := slices.IndexFunc(k.list, func(a *keptAnswer) bool { return a.key == key && a.version == version })
	if i < 0 {
		return nil
	}
	a := k.list[i]
	k.list = slices.Insert(slices.Delete(k.list, i, i+1), 0, a)
	a.users++
	return a
}

// put takes an answer, in place of an older one of its key.
func (k *keptAnswers) put(a *keptAnswer) {
	k.mu.Lock()
	defer k.mu.Unlock()
	a.users = 1
	k.list = slices.Insert(k.list, 0, a)
	for i := len(k.list) - 1; i > 0; i-- {
		if old := k.list[i]; old.key == a.key || i >= keepMost {
			k.list = slices.Delete(k.list, i, i+1)
			old.leave()
		}
	}
}

func (k *keptAnswers) release(a *keptAnswer) {
	k.mu.Lock()
	defer k.mu.Unlock()
	a.leave()
}

// close lets go of all answers.
func (k *keptAnswers) close() {
	k.mu.Lock()
	defer k.mu.Unlock()
	for _, a := range k.list {
		a.leave()
	}
	k.list = nil
}

func (a *keptAnswer) leave() {
	if a.users--; a.users == 0 {
		_ = a.file.Close() // nothing of it is needed any more
	}
}

// answerCopy takes the bytes of an answer while they are sent. It never fails:
// an answer that cannot be kept is made again.
type answerCopy struct {
	kept    *keptAnswers
	key     answerKey
	version int64
	buffer  []byte   // what is too little to be kept
	file    *os.File // nil before
	size    int64
	broken  bool
}

// copy begins a copy of an answer made at a version.
func (k *keptAnswers) copy(key answerKey, version int64) *answerCopy {
	return &answerCopy{kept: k, key: key, version: version}
}

func (c *answerCopy) Write(p []byte) (int, error) {
	if c.broken {
		return len(p), nil
	}
	if c.file == nil && len(c.buffer)+len(p) < c.kept.from {
		c.buffer = append(c.buffer, p...)
		return len(p), nil
	}
	if err := c.spill(p); err != nil {
		c.discard()
	}
	return len(p), nil
}

func (c *answerCopy) spill(p []byte) (err error) {
	if c.file == nil {
		if c.file, err = namelessFile(c.kept.dir); err != nil {
			return err
		}
		c.size = int64(len(c.buffer))
		if _, err := c.file.Write(c.buffer); err != nil {
			return err
		}
		c.buffer = nil
	}
	c.size += int64(len(p))
	_, err = c.file.Write(p)
	return err
}

// keep makes the copy, which is whole, the answer for those who ask next.
func (c *answerCopy) keep(zipped bool) {
	if c.file == nil || c.broken {
		return
	}
	c.kept.put(&keptAnswer{key: c.key, version: c.version, file: c.file, size: c.size, zipped: zipped})
	c.file = nil
}

// discard forgets the copy; after keep it does nothing.
func (c *answerCopy) discard() {
	c.broken, c.buffer = true, nil
	if c.file != nil {
		_ = c.file.Close()
		c.file = nil
	}
}

// namelessFile makes a file that goes with its last descriptor.
func namelessFile(dir string) (*os.File, error) {
	f, err := os.CreateTemp(dir, "answer-")
	if err != nil {
		return nil, err
	}
	if err := os.Remove(f.Name()); err != nil {
		_ = f.Close()
		return nil, err
	}
	return f, nil
}

// reader reads the answer from its beginning; several may at the same time.
func (a *keptAnswer) reader() io.Reader { return io.NewSectionReader(a.file, 0, a.size) }
