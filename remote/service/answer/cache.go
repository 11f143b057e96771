package answer

import (
	"os"
	"slices"
	"sync"
)

// Cache has answers as they went over the wire, so that what did not change is not made
// again: of each key K, which says what was asked for, the answer of the last version V.
// Large ones lie in files without a name: nothing of them outlives the process.
type Cache[K, V comparable] struct {
	Most int   // answers that are kept
	Room int64 // bytes that all of them have at the most; 0 for any number

	mu     sync.Mutex
	list   []*Kept[K, V]   // guarded by mu; last used first
	size   int64           // guarded by mu; of those in list
	makers []*Making[K, V] // guarded by mu
}

// Making is an answer that one caller makes, for which others wait.
type Making[K, V comparable] struct {
	key     K
	version V
	done    chan struct{} // closed when it is kept, or is not going to be
	alone   bool          // not kept, and each caller makes its own; read it after done
}

// Done is closed when the answer is kept, or is not going to be.
func (m *Making[K, V]) Done() <-chan struct{} { return m.done }

// Alone reports, after Done, that each caller makes its own answer.
func (m *Making[K, V]) Alone() bool { return m.alone }

// Claim returns an answer that was made at this version, which the caller
// releases; or the making of it by another; or it lets the caller make it, and
// others wait for that until Done.
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

// Done ends a making, which may be nil. The others make their own where alone says so:
// else one of them makes what is not kept by now.
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

// find is called with mu held.
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

// Put takes an answer, in place of an older one of its key, and reports whether it is kept:
// one that is larger than all the room is not. Those that were not used for longest make
// room. The caller still uses it, and releases it.
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

// drop is called with mu held. It returns what leave does.
func (c *Cache[K, V]) drop(i int) *os.File {
	old := c.list[i]
	c.list = slices.Delete(c.list, i, i+1)
	c.size -= old.Size
	return old.leave()
}

// Release ends the use of an answer.
func (c *Cache[K, V]) Release(a *Kept[K, V]) {
	c.mu.Lock()
	gone := a.leave()
	c.mu.Unlock()
	closeAll([]*os.File{gone})
}

// Close lets go of all answers.
func (c *Cache[K, V]) Close() {
	c.mu.Lock()
	var gone []*os.File
	for len(c.list) > 0 {
		gone = append(gone, c.drop(len(c.list)-1))
	}
	c.mu.Unlock()
	closeAll(gone)
}

// closeAll closes files, some of which may be nil. A large one without a name takes its
// time, for which nobody holds a lock.
func closeAll(files []*os.File) {
	for _, f := range files {
		_ = f.Close() // nothing of it is needed any more
	}
}
