package lock

import (
	"context"
	"sync"
)

// Mutex is a sync.Mutex with a rank.
type Mutex[R Rank] struct{ mu sync.Mutex }

// Lock locks m.
func (m *Mutex[R]) Lock() {
	if checked {
		taking[R]()
	}
	m.mu.Lock()
}

// LockUntil locks m, unless ctx ends before.
func (m *Mutex[R]) LockUntil(ctx context.Context) error {
	if !m.mu.TryLock() {
		locked := make(chan bool)
		go func() {
			m.mu.Lock()
			select {
			case locked <- true:
			case <-ctx.Done():
				m.mu.Unlock()
			}
		}()
		select {
		case <-locked:
		case <-ctx.Done():
			return ctx.Err()
		}
	}
	if checked {
		taking[R]()
	}
	return nil
}

// Unlock unlocks m.
func (m *Mutex[R]) Unlock() {
	m.mu.Unlock()
	if checked {
		dropped[R]()
	}
}

// RWMutex is a sync.RWMutex with a rank.
type RWMutex[R Rank] struct{ mu sync.RWMutex }

// Lock locks m for writing.
func (m *RWMutex[R]) Lock() {
	if checked {
		taking[R]()
	}
	m.mu.Lock()
}

// Unlock undoes Lock.
func (m *RWMutex[R]) Unlock() {
	m.mu.Unlock()
	if checked {
		dropped[R]()
	}
}

// RLock locks m for reading.
func (m *RWMutex[R]) RLock() {
	if checked {
		taking[R]()
	}
	m.mu.RLock()
}

// RUnlock undoes RLock.
func (m *RWMutex[R]) RUnlock() {
	m.mu.RUnlock()
	if checked {
		dropped[R]()
	}
}
