package admission

import (
	"strings"
	"sync"
	"time"

	"paperfs/remote/service/store"
)

const (
	// rememberedFor is how long a caller is remembered after its key was checked.
	rememberedFor = time.Minute
	// mostRemembered is how many callers are remembered at once.
	mostRemembered = 1024
	// longestRemembered is how many bytes a remembered host name has at most: a longer
	// text is no host name, and would take memory.
	longestRemembered = 255
)

// Callers are those whose keys were good a moment ago. A small call that changes
// something is admitted by what is remembered of its caller, without a query of its own:
// the change asks the store for the caller, in the change's transaction, and refuses one
// whose key is no longer good. If the call makes no change, the service asks for the
// caller before it answers.
type Callers struct {
	mu  sync.Mutex // guards all
	all map[CallerName]remembered
}

// CallerName is the host and the account under which a caller sends its call.
type CallerName struct{ Host, Account string }

type remembered struct {
	store.Caller
	until time.Time
}

// Find returns what is remembered of a caller.
func (r *Callers) Find(who CallerName, now time.Time) (store.Caller, bool) {
	r.mu.Lock()
	defer r.mu.Unlock()
	k, known := r.all[who]
	return k.Caller, known && now.Before(k.until)
}

// Add remembers a caller whose key was checked now.
func (r *Callers) Add(who CallerName, k store.Caller, now time.Time) {
	if len(who.Host) > longestRemembered {
		return
	}
	who.Host = strings.Clone(who.Host) // otherwise the whole request line stays in memory
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.all == nil || len(r.all) >= mostRemembered {
		r.all = map[CallerName]remembered{}
	}
	r.all[who] = remembered{k, now.Add(rememberedFor)}
}

// Remove forgets a caller.
func (r *Callers) Remove(who CallerName) {
	r.mu.Lock()
	defer r.mu.Unlock()
	delete(r.all, who)
}
