package media_test

import (
	"fmt"
	"maps"
	"math"
	"slices"
	"sync/atomic"
)

// history records what the mount's user and a colleague have done to the files of one service. Paths
// that differ only in case are the same. The SHA-256 identifies a content; "" means no file.
type history struct {
	clock  atomic.Int64
	base   map[string]string // contents at the last quiet moment, by path
	acts   map[string][]*act
	queues bool // a close is acknowledged before the service has the content
}

// act is a change of one path by one of these two people.
type act struct {
	who     string
	byUser  bool     // by the mount's user, not by the colleague
	acked   bool     // the caller saw it succeed
	may     []string // possible results
	began   int
	ended   int // when the call returned
	settled int // when the service had it; for the user's acts not before the queue is empty
}

const never = math.MaxInt

func (h *history) tick() int { return int(h.clock.Add(1)) }

func (h *history) add(path string, a *act) *act {
	h.acts[path] = append(h.acts[path], a)
	return a
}

// before reports whether a could no longer have an effect when b began.
func (a *act) before(b *act) bool {
	if a.byUser && b.byUser {
		return b.began > a.ended // local changes that begin later wait for those under way
	}
	return b.began > a.settled
}

// settle records that nothing is under way now.
func (h *history) settle() {
	now := h.tick()
	for _, acts := range h.acts {
		for _, a := range acts {
			a.settled = min(a.settled, now)
		}
	}
}

// possible returns the contents that a path may have: the result of the last act, or of any of
// several simultaneous last acts. An acknowledged act counts, unless its content is in failed/: then
// neither that content nor the one that it replaced locally need exist anywhere else, unless the service
// had that one before. The same holds for an act that failed, if what it replaced locally may have been
// queued.
func (h *history) possible(path string, failed []string) (contents []string) {
	acts := h.acts[path]
	aside := func(a *act) bool {
		return a.byUser && (a.acked || h.queues) && slices.ContainsFunc(a.may, func(c string) bool { return slices.Contains(failed, c) })
	}
	counts := func(b *act) bool {
		return b.acked && !aside(b) && !(b.byUser && slices.ContainsFunc(acts, func(c *act) bool { return aside(c) && b.before(c) && b.settled > c.began }))
	}
	if !slices.ContainsFunc(acts, counts) {
		contents = append(contents, h.base[path])
	}
	for _, a := range acts {
		if !slices.ContainsFunc(acts, func(b *act) bool { return counts(b) && a.before(b) }) {
			contents = append(contents, a.may...)
		}
	}
	return contents
}

// ever returns all contents that a path may have had since the last quiet moment.
func (h *history) ever(path string) []string {
	contents := []string{h.base[path]}
	for _, a := range h.acts[path] {
		contents = append(contents, a.may...)
	}
	return contents
}

// unseen returns the content that a colleague has put at a path since a time, if no change of the
// mount's user is under way there.
func (h *history) unseen(path string, since int) (content string, ok bool) {
	for _, a := range h.acts[path] {
		switch {
		case a.byUser && a.settled == never:
			return "", false
		case !a.byUser && a.began > since:
			content, ok = a.may[0], true
		}
	}
	return content, ok
}

// contested reports whether a change of the mount's user may have replaced what the colleague put at a path
// last: its upload was on the way.
func (h *history) contested(path string) bool {
	var theirs *act
	for _, a := range h.acts[path] {
		if !a.byUser {
			theirs = a
		}
	}
	return theirs != nil && slices.ContainsFunc(h.acts[path], func(a *act) bool { return a.byUser && a.acked && !a.before(theirs) && a.began < theirs.ended })
}

// wrong lists violations of the rules. found has the service's contents by path, and failed those of
// failed/.
func (h *history) wrong(found map[string]string, failed map[string][]string) (list []string) {
	paths := maps.Clone(found)
	maps.Copy(paths, h.base)
	for path := range h.acts {
		paths[path] = ""
	}
	for _, path := range slices.Sorted(maps.Keys(paths)) {
		if may := h.possible(path, failed[path]); !slices.Contains(may, found[path]) {
			list = append(list, fmt.Sprintf("%s holds %.8s, not one of %.8s", path, found[path], may))
		}
	}
	return list
}

// begin forgets all acts at a quiet moment, and starts from the found contents.
func (h *history) begin(found map[string]string) {
	h.base, h.acts = maps.Clone(found), map[string][]*act{}
}

// tell returns the history of a path as text for people.
func (h *history) tell(path string) string {
	text := fmt.Sprintf("%s: %.8s", path, h.base[path])
	for _, a := range h.acts[path] {
		text += fmt.Sprintf("\n  %d-%d (%d) %s, acknowledged: %t, leaves %.8s", a.began, a.ended, a.settled, a.who, a.acked, a.may)
	}
	return text + "\n"
}
