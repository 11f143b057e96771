package media_test

import (
	"fmt"
	"maps"
	"math"
	"slices"
	"sync/atomic"
)

// history records what two people have done to the files of one service: the mount's user and a
// colleague. Paths that differ only in case are the same; a content is identified by its SHA-256, ""
// for no file.
type history struct {
	clock atomic.Int64
	base  map[string]string // at the last quiet moment
	acts  map[string][]*act
}

// act is what one of them has done to one path.
type act struct {
	who     string
	ours    bool     // by the mount's user
	acked   bool     // its success was reported
	may     []string // the result: one of these
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
		return b.began > a.ended // local changes that begin later wait for those under way
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

// possible returns the contents that a path may have: the result of the last act, and of acts at the
// same time, any. An act that was reported as done counts, unless its content is in failed/: then
// neither it nor the content that it replaced locally need be anywhere else.
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

// wrong lists violations of the rules: found is the service's content, failed that of failed/, by path.
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

// begin drops earlier promises, at a quiet moment.
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
