package service

import "paperfs/remote/service/store"

// turns has the PDFs of the tenants processed in turn, however many each of them
// queues. The zero value is ready to use.
type turns struct {
	count uint64
	last  map[int64]uint64 // by tenant: the count at its last turn; 0 for none
}

// next chooses among work, oldest first, of which some is taken: the oldest of
// the tenant with the least under way, and of these the one that has waited
// longest for a turn.
func (t *turns) next(all []store.Work, taken func(guid string) bool) (store.Work, bool) {
	busy := map[int64]int{}
	for _, w := range all {
		if taken(w.GUID) {
			busy[w.Tenant]++
		}
	}
	var best *store.Work
	for i, w := range all {
		if taken(w.GUID) {
			continue
		}
		if best == nil || busy[w.Tenant] < busy[best.Tenant] || busy[w.Tenant] == busy[best.Tenant] && t.last[w.Tenant] < t.last[best.Tenant] {
			best = &all[i]
		}
	}
	if best == nil {
		return store.Work{}, false
	}
	if t.last == nil {
		t.last = map[int64]uint64{}
	}
	t.count++
	t.last[best.Tenant] = t.count
	return *best, true
}
