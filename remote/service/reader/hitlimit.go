package reader

import (
	"sync"
	"time"
)

// hitMinute is the number of messages plus pages that one client address may report in a
// minute. Many people may share an address.
const hitMinute = 1_200

// hitLimits counts the messages of each client address in the current minute.
type hitLimits struct {
	mu     sync.Mutex // guards all below; taken alone
	minute int64
	from   map[string]int
}

// take counts a message and returns 0, or returns how long to wait.
func (l *hitLimits) take(address string, pages int, now time.Time) (wait time.Duration) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if minute := now.Unix() / 60; minute != l.minute || len(l.from) >= mostAddresses {
		l.minute, l.from = minute, map[string]int{}
	}
	if l.from[address]+1+pages > hitMinute {
		return time.Minute - time.Duration(now.Unix()%60)*time.Second
	}
	l.from[address] += 1 + pages
	return 0
}
