package lock

import (
	"bytes"
	"fmt"
	"runtime"
	"slices"
	"strconv"
	"sync"
)

// Check makes every lock that is taken out of order end the process. Tests call it before they
// take any lock.
func Check() { checked = true }

// Holds reports whether this goroutine holds a lock with rank R. It works only after Check.
func Holds[R Rank]() bool {
	held.Lock()
	defer held.Unlock()
	return slices.Contains(held.ranks[goroutine()], rankOf[R]())
}

var (
	checked bool
	held    = struct {
		sync.Mutex
		ranks map[uint64][]int // by goroutine
	}{ranks: make(map[uint64][]int)}
)

// taking records that this goroutine takes a lock, possibly after a wait.
func taking[R Rank]() {
	rank, id := rankOf[R](), goroutine()
	held.Lock()
	defer held.Unlock()
	for _, other := range held.ranks[id] {
		if other > rank || other == rank && rank != several {
			panic(fmt.Sprintf("the lock %s is taken under %s: against the order", Order[rank], Order[other]))
		}
	}
	held.ranks[id] = append(held.ranks[id], rank)
}

// dropped records that this goroutine released a lock.
func dropped[R Rank]() {
	id, rank := goroutine(), rankOf[R]()
	held.Lock()
	defer held.Unlock()
	ranks := held.ranks[id]
	at := slices.Index(ranks, rank)
	if at < 0 {
		panic(fmt.Sprintf("the lock %s is released by a goroutine that did not take it", Order[rank]))
	}
	if ranks = slices.Delete(ranks, at, at+1); len(ranks) == 0 {
		delete(held.ranks, id)
	} else {
		held.ranks[id] = ranks
	}
}

// goroutine returns the number of the current goroutine, which Go reveals only in stack traces.
func goroutine() uint64 {
	var trace [64]byte
	line := trace[:runtime.Stack(trace[:], false)]
	number, _, _ := bytes.Cut(bytes.TrimPrefix(line, []byte("goroutine ")), []byte(" "))
	id, err := strconv.ParseUint(string(number), 10, 64)
	if err != nil {
		panic(err)
	}
	return id
}
