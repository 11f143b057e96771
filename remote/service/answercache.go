package service

import (
	"io"
	"os"
	"slices"
	"sync"

	"paperfs/remote"
)

// mostAnswers is how many answers are kept.
const mostAnswers = 8

// answerCache has large answers as they went over the wire, so that what did
// not change is not made again: a smaller one is made again in some
// milliseconds. They lie in files without a name: nothing of them outlives the
// process.
type answerCache struct {
	mu     sync.Mutex
	list   []*cachedAnswer // guarded by mu; last used first
	makers []*making       // guarded by mu
}

// making is an answer that one caller makes, for which others wait.
type making struct {
	key     answerKey
	version int64
	done    chan struct{} // closed when it is kept, or is not going to be
	small   bool          // not kept, because it is quicker made than waited for; read it after done
}

// claim returns an answer that was made at this version, which the caller
// releases; or the making of it by another; or it lets the caller make it, and
// others wait for that until done.
func (c *answerCache) claim(key answerKey, version int64) (found *cachedAnswer, mine, other *making) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if found = c.find(key, version); found != nil {
		return found, nil, nil
	}
	i := slices.IndexFunc(c.makers, func(m *making) bool { return m.key == key && m.version == version })
	if i >= 0 {
		return nil, nil, c.makers[i]
	}
	mine = &making{key: key, version: version, done: make(chan struct{})}
	c.makers = append(c.makers, mine)
	return nil, mine, nil
}

// done ends a making, which may be nil.
func (c *answerCache) done(m *making, small bool) {
	if m == nil {
		return
	}
	c.mu.Lock()
	c.makers = slices.DeleteFunc(c.makers, func(other *making) bool { return other == m })
	c.mu.Unlock()
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

type cachedAnswer struct {
	key     answerKey
	version int64 // of the tree
	file    *os.File
	size    int64
	zipped  bool
	users   int // guarded by answerCache.mu; the list is one
}

// find is called with mu held.
func (c *answerCache) find(key answerKey, version int64) *cachedAnswer {
	i := slices.IndexFunc(c.list, func(a *cachedAnswer) bool { return a.key == key && a.version == version })
	if i < 0 {
		return nil
	}
	a := c.list[i]
	c.list = slices.Insert(slices.Delete(c.list, i, i+1), 0, a)
	a.users++
	return a
}

// put takes an answer, in place of an older one of its key. The caller still
// uses it, and releases it.
func (c *answerCache) put(a *cachedAnswer) {
	c.mu.Lock()
	defer c.mu.Unlock()
	a.users = 2
	c.list = slices.Insert(c.list, 0, a)
	for i := len(c.list) - 1; i > 0; i-- {
		if old := c.list[i]; old.key == a.key || i >= mostAnswers {
			c.list = slices.Delete(c.list, i, i+1)
			old.leave()
		}
	}
}

func (c *answerCache) release(a *cachedAnswer) {
	c.mu.Lock()
	defer c.mu.Unlock()
	a.leave()
}

// close lets go of all answers.
func (c *answerCache) close() {
	c.mu.Lock()
	defer c.mu.Unlock()
	for _, a := range c.list {
		a.leave()
	}
	c.list = nil
}

func (a *cachedAnswer) leave() {
	if a.users--; a.users == 0 {
		_ = a.file.Close() // nothing of it is needed any more
	}
}

// reader reads the answer from its beginning; several may at the same time.
func (a *cachedAnswer) reader() io.Reader { return io.NewSectionReader(a.file, 0, a.size) }
