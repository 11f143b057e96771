package answer

import (
	"os"
	"slices"
	"sync"
)

// Cache keeps answers exactly as they were sent, so that an unchanged answer is not generated
// again. For each key K, which identifies the request, it keeps the answer for the latest version
// V. Large answers are in nameless files, which end with the process.
type Cache[K, V comparable] struct {
	Most int   // maximum number of answers
	Room int64 // maximum total size in bytes; 0 for no limit

	mu     sync.Mutex
	list   []*Kept[K, V]   // guarded by mu; most recently used first
	size   int64           // guarded by mu; total size of the answers in list
	makers []*Making[K, V] // guarded by mu
}

// Making is an answer that one caller generates while others wait for it.
type Making[K, V comparable] struct {
	key     K
	version V
	done    chan struct{} // closed when the answer is cached, or will not be
	alone   bool          // not cached, so each caller generates its own; read it after done
}

// Done is closed when the answer is cached, or will not be.
func (m *Making[K, V]) Done() <-chan struct{} { return m.done }

// Alone reports, after Done, that each caller must generate its own answer.
func (m *Making[K, V]) Alone() bool { return m.alone }

// Claim returns one of: found, a cached answer of this version, which the caller must release;
// other, the making of that answer by another caller; or mine, with which the caller generates
// the answer while others wait for Done.
func (c *Cache[K, V]) Claim(key K, version V) (found *Kept[K, V], mine, other *Making[K, V]) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if found = c.find(key, version); found != nil {
		return found, nil, nil
	}
	i := slices.IndexFunc(c.makers, func(m *Making[K, V]) bool { return m.key == key && m.version == version })
	if i >= 0 {
		return nil, nil, c.makers[i]
	}
	mine = &Making[K, V]{key: key, version: version, done: make(chan struct{})}
	c.makers = append(c.makers, mine)
	return nil, mine, nil
}

// Done ends a making, which may be nil. If alone is true, each waiting caller generates its own
// answer; otherwise one of them generates it unless it is now cached.
func (c *Cache[K, V]) Done(m *Making[K, V], alone bool) {
	if m == nil {
		return
	}
	c.mu.Lock()
	c.makers = slices.DeleteFunc(c.makers, func(other *Making[K, V]) bool { return other == m })
	c.mu.Unlock()
	m.alone = alone
	close(m.done)
}

// find must be called with mu held.
func (c *Cache[K, V]) find(key K, version V) *Kept[K, V] {
	i := slices.IndexFunc(c.list, func(a *Kept[K, V]) bool { return a.key == key && a.version == version })
	if i < 0 {
		return nil
	}
	a := c.list[i]
	c.list = slices.Insert(slices.Delete(c.list, i, i+1), 0, a)
	a.users++
	return a
}

// Put adds an answer, replacing an older one with the same key, and reports whether it is cached:
// an answer larger than Room is not. The least recently used answers make room. The caller still
// uses the answer and must release it.
func (c *Cache[K, V]) Put(a *Kept[K, V]) bool {
	kept, gone := c.put(a)
	closeAll(gone)
	return kept
}

func (c *Cache[K, V]) put(a *Kept[K, V]) (kept bool, gone []*os.File) {
	c.mu.Lock()
	defer c.mu.Unlock()
	a.users = 1
	if c.Room > 0 && a.Size > c.Room {
		return false, nil
	}
	if i := slices.IndexFunc(c.list, func(old *Kept[K, V]) bool { return old.key == a.key }); i >= 0 {
		gone = append(gone, c.drop(i))
	}
	a.users++
	c.size += a.Size
	c.list = slices.Insert(c.list, 0, a)
	for len(c.list) > c.Most || c.Room > 0 && c.size > c.Room {
		gone = append(gone, c.drop(len(c.list)-1))
	}
	return true, gone
}

// drop must be called with mu held. It returns the file to close, like leave.
func (c *Cache[K, V]) drop(i int) *os.File {
	old := c.list[i]
	c.list = slices.Delete(c.list, i, i+1)
	c.size -= old.Size
	return old.leave()
}

// Release ends the caller's use of an answer.
func (c *Cache[K, V]) Release(a *Kept[K, V]) {
	c.mu.Lock()
	gone := a.leave()
	c.mu.Unlock()
	closeAll([]*os.File{gone})
}

// Close drops all answers.
func (c *Cache[K, V]) Close() {
	c.mu.Lock()
	var gone []*os.File
	for len(c.list) > 0 {
		gone = append(gone, c.drop(len(c.list)-1))
	}
	c.mu.Unlock()
	closeAll(gone)
}

// closeAll closes files, some of which may be nil. Closing a large nameless file takes time, so
// no lock may be held.
func closeAll(files []*os.File) {
	for _, f := range files {
		_ = f.Close() // nothing of it is needed any more
	}
}
