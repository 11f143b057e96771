package service

import (
	"io"
	"os"
	"slices"
	"sync"

	"paperfs/remote"
)

// keepMost is how many answers are kept.
const keepMost = 8

// keptAnswers holds large answers as they went over the wire, so that what did
// not change is not made again: a smaller one is made again in some
// milliseconds. They lie in files without a name: nothing of them outlives the
// process.
type keptAnswers struct {
	mu   sync.Mutex
	list []*keptAnswer // guarded by mu; last used first
}

// answerKey is what an answer depends on beside the version of the tree.
type answerKey struct {
	tenant, node int64
	rootURL      string
	accepts      bool               // the client takes gzip
	soap         remote.SOAPVersion // "" for a form
}

type keptAnswer struct {
	key     answerKey
	version int64 // of the tree
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

// reader reads the answer from its beginning; several may at the same time.
func (a *keptAnswer) reader() io.Reader { return io.NewSectionReader(a.file, 0, a.size) }
