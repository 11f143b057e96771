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
	mu     sync.Mutex
	list   []*keptAnswer // guarded by mu; last used first
	makers []*making     // guarded by mu
}

// making is an answer that one caller makes, for which others wait.
type making struct {
	key     answerKey
	version int64
	done    chan struct{} // closed when it is kept, or is not going to be
	small   bool          // not kept, because it is quicker made than waited for; read it after done
}

// claim gives an answer that was made at this version, which the caller
// releases; or the making of it by another; or it lets the caller make it, and
// others wait for that until give.
func (k *keptAnswers) claim(key answerKey, version int64) (found *keptAnswer, mine, other *making) {
	k.mu.Lock()
	defer k.mu.Unlock()
	if found = k.find(key, version); found != nil {
		return found, nil, nil
	}
	i := slices.IndexFunc(k.makers, func(m *making) bool { return m.key == key && m.version == version })
	if i >= 0 {
		return nil, nil, k.makers[i]
	}
	mine = &making{key: key, version: version, done: make(chan struct{})}
	k.makers = append(k.makers, mine)
	return nil, mine, nil
}

// give ends a making, which may be nil.
func (k *keptAnswers) give(m *making, small bool) {
	if m == nil {
		return
	}
	k.mu.Lock()
	k.makers = slices.DeleteFunc(k.makers, func(other *making) bool { return other == m })
	k.mu.Unlock()
	m.small = small
	close(m.done)
}

// answerKey is what an answer depends on beside the version of the tree.
type answerKey struct {
	op           string
	tenant, node int64
	rootURL      string
	public       string             // what addresses in it begin with; "" for none
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

// find is called with mu held.
func (k *keptAnswers) find(key answerKey, version int64) *keptAnswer {
	i := slices.IndexFunc(k.list, func(a *keptAnswer) bool { return a.key == key && a.version == version })
	if i < 0 {
		return nil
	}
	a := k.list[i]
	k.list = slices.Insert(slices.Delete(k.list, i, i+1), 0, a)
	a.users++
	return a
}

// put takes an answer, in place of an older one of its key. The caller still
// uses it, and releases it.
func (k *keptAnswers) put(a *keptAnswer) {
	k.mu.Lock()
	defer k.mu.Unlock()
	a.users = 2
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
