package media_test

import (
	"fmt"
	"maps"
	"math"
	"slices"
	"sync/atomic"
)

// history is what two people have done to the files of one service: the
// mount's user and a colleague. A path that differs in case only is the same;
// content is told by its SHA-256, "" for no file.
type history struct {
	clock atomic.Int64
	base  map[string]string // at the last quiet moment
	acts  map[string][]*act
}

// act is what somebody has done to one path.
type act struct {
	who     string
	ours    bool     // by the mount's user
	acked   bool     // he was told that it is done
	may     []string // what it leaves: one of these
	began   int
	ended   int // for who did it
	settled int // at the service; never before the queue is empty
}

const never = math.MaxInt

func (h *history) tick() int { return int(h.clock.Add(1)) }

func (h *history) add(path string, a *act) *act {
	h.acts[path] = append(h.acts[path], a)
	return a
}

// before reports whether a could have no effect any more when b was begun.
func (a *act) before(b *act) bool {
	if a.ours && b.ours {
		return b.began > a.ended // what is begun here later waits for what is still going on
	}
	return b.began > a.settled
}

// settle notes that nothing is under way any more.
func (h *history) settle() {
	now := h.tick()
	for _, acts := range h.acts {
		for _, a := range acts {
			a.settled = min(a.settled, now)
		}
	}
}

// possible is what a path may hold: what the last of what was done there has
// left, and of what was done at the same time, any. What somebody was told is
// done counts, unless it is in failed/: that and what it took the place of here
// need not be anywhere else.
func (h *history) possible(path string, failed []string) (contents []string) {
	acts := h.acts[path]
	aside := func(a *act) bool {
		return a.ours && a.acked && slices.ContainsFunc(a.may, func(c string) bool { return slices.Contains(failed, c) })
	}
	counts := func(b *act) bool {
		return b.acked && !aside(b) && !(b.ours && slices.ContainsFunc(acts, func(c *act) bool { return aside(c) && b.before(c) }))
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

// ever is all that a path has had since the last quiet moment.
func (h *history) ever(path string) []string {
	contents := []string{h.base[path]}
	for _, a := range h.acts[path] {
		contents = append(contents, a.may...)
	}
	return contents
}

// unseen is a colleague's content at a path, since a time, if nothing of ours
// was under way there then.
func (h *history) unseen(path string, since int) (content string, ok bool) {
	for _, a := range h.acts[path] {
		switch {
		case a.ours && a.settled == never:
			return "", false
		case !a.ours && a.began > since:
			content, ok = a.may[0], true
		}
	}
	return content, ok
}

// wrong lists what breaks a rule: found is what the service holds, failed what
// is in failed/, by path.
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

// begin forgets what was promised before, at a quiet moment.
func (h *history) begin(found map[string]string) {
	h.base, h.acts = maps.Clone(found), map[string][]*act{}
}

// tell is the history of a path, for people.
func (h *history) tell(path string) string {
	text := fmt.Sprintf("%s: %.8s", path, h.base[path])
	for _, a := range h.acts[path] {
		text += fmt.Sprintf("\n  %d-%d (%d) %s, acknowledged: %t, leaves %.8s", a.began, a.ended, a.settled, a.who, a.acked, a.may)
	}
	return text + "\n"
}
