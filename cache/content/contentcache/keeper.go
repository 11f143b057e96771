package contentcache

import (
	"os"

	"paperfs/cache/content/reading"
)

// Keeper returns the cache as the place for content that is being read. What is there of it counts
// against the limit and leaves the disk its reserve.
func (c *Cache) Keeper() reading.Keeper { return keeper{c} }

type keeper struct{ cache *Cache }

// Find implements reading.Keeper.
func (k keeper) Find(sum string) (*os.File, func(), error) {
	f, err := k.cache.Open(sum)
	if err != nil {
		return nil, nil, err
	}
	return f, k.cache.Pin(sum), nil
}

// Create implements reading.Keeper.
func (k keeper) Create() (*os.File, error) { return k.cache.temporary() }

// Take implements reading.Keeper.
func (k keeper) Take(n int64) bool {
	c := k.cache
	if c.makeRoom(n) != nil {
		return false
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	c.parts += n
	if c.shrinkLocked(); c.limit >= 0 && c.overLocked() > 0 {
		c.parts -= n
		return false
	}
	return true
}

// Give implements reading.Keeper.
func (k keeper) Give(n int64) {
	k.cache.mu.Lock()
	defer k.cache.mu.Unlock()
	k.cache.parts -= n
}

// Keep implements reading.Keeper.
func (k keeper) Keep(f *os.File, sum string, taken int64) (func(), error) {
	k.Give(taken)
	if err := k.cache.Take(f.Name(), sum); err != nil {
		k.cache.mu.Lock()
		k.cache.parts += taken
		k.cache.mu.Unlock()
		return nil, err
	}
	return k.cache.Pin(sum), nil
}
