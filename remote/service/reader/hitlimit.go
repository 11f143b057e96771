package reader

import (
	"sync"
	"time"
)

// hitMinute is how many messages and pages in all one client address may have counted in
// a minute: many people may share it.
const hitMinute = 1_200

// hitLimits count the messages of each client address, in the minute that is now: of
// those before nothing is kept.
type hitLimits struct {
	mu     sync.Mutex // guards all below; taken alone
	minute int64
	from   map[string]int
}

// take counts a message, or says how long to wait instead.
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
