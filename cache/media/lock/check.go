package lock

import (
	"bytes"
	"fmt"
	"runtime"
	"slices"
	"strconv"
	"sync"
)

// Check has every lock that is taken against the order end the process. Tests
// call it before they take any.
func Check() { checked = true }

// Holds reports whether this goroutine holds a lock of a rank, as far as Check was
// called.
func Holds[R Rank]() bool {
	var r R
	held.Lock()
	defer held.Unlock()
	return slices.Contains(held.ranks[goroutine()], r.rank())
}

var (
	checked bool
	held    = struct {
		sync.Mutex
		ranks map[uint64][]int // by goroutine
	}{ranks: make(map[uint64][]int)}
)

// taking notes that this goroutine takes a lock, for which it may have to wait.
func taking[R Rank]() {
	var r R
	rank, id := r.rank(), goroutine()
	held.Lock()
	defer held.Unlock()
	for _, other := range held.ranks[id] {
		if other > rank || other == rank && rank != several {
			panic(fmt.Sprintf("the lock %s is taken under %s: against the order", Order[rank], Order[other]))
		}
	}
	held.ranks[id] = append(held.ranks[id], rank)
}

// took notes that this goroutine has a lock for which it could not wait.
func took[R Rank]() {
	var r R
	held.Lock()
	defer held.Unlock()
	id := goroutine()
	held.ranks[id] = append(held.ranks[id], r.rank())
}

// dropped notes that this goroutine has let go of a lock.
func dropped[R Rank]() {
	var r R
	id := goroutine()
	held.Lock()
	defer held.Unlock()
	ranks := held.ranks[id]
	at := slices.Index(ranks, r.rank())
	if at < 0 {
		panic(fmt.Sprintf("the lock %s is let go by a goroutine that did not take it", Order[r.rank()]))
	}
	if ranks = slices.Delete(ranks, at, at+1); len(ranks) == 0 {
		delete(held.ranks, id)
	} else {
		held.ranks[id] = ranks
	}
}

// goroutine is the number of the present goroutine. Go tells it in traces alone.
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
