package media

import (
	"errors"
	"maps"
	"path"
	"strings"

	"github.com/stretchr/testify/require"
)

// world is what must hold after some acts: contents by path.
type world struct {
	files   map[string]string // at the service, or on the way to it
	failed  map[string]string // in failed/
	scratch map[string]string
	dirs    map[string]bool
	twice   []string // contents of a scratch file under its other names
}

func newWorld() *world {
	return &world{files: map[string]string{}, failed: map[string]string{}, scratch: map[string]string{}, dirs: map[string]bool{}}
}

func (w *world) clone() *world {
	return &world{files: maps.Clone(w.files), failed: maps.Clone(w.failed), scratch: maps.Clone(w.scratch), dirs: maps.Clone(w.dirs)}
}

// place returns where the content of a path belongs.
func (w *world) place(p string) map[string]string {
	if strings.Contains("/"+p, "/.") {
		return w.scratch
	}
	return w.files
}

// move moves a path, and everything below it, to another.
func (w *world) move(from, to string) {
	for _, m := range []map[string]string{w.files, w.scratch} {
		for p, content := range m {
			if p != from && !strings.HasPrefix(p, from+"/") {
				continue
			}
			delete(m, p)
			p = to + strings.TrimPrefix(p, from)
			w.place(p)[p] = content
		}
	}
}

// act is an operation of programs on media/.
type act struct {
	name string
	do   func(*player)
	then func(*world)
}

func write(path, content string) act {
	return act{"write " + path, func(p *player) { p.write(path, content) }, func(w *world) { w.place(path)[path] = content }}
}

func mkdir(path string) act {
	return act{"mkdir " + path, func(p *player) { p.mkdir(path) }, func(w *world) {
		if !strings.HasPrefix(path, ".") {
			w.dirs[path] = true
		}
	}}
}

func rename(from, to string) act {
	return act{"rename " + from + " to " + to, func(p *player) { p.rename(from, to) }, func(w *world) { w.move(from, to) }}
}

func renameDir(from, to string) act {
	return act{"rename " + from + " to " + to, func(p *player) { p.rename(from, to) }, func(w *world) {
		w.move(from, to)
		delete(w.dirs, from)
		w.dirs[to] = true
	}}
}

func linkName(path, name string) act {
	return act{"ln " + path + " " + name, func(p *player) {
		_, err := p.store.Link(p.ino(path), p.ino(parent(name)), base(name), "")
		require.NoError(p.t, err)
	}, func(w *world) { w.scratch[name] = w.scratch[path] }}
}

func unlink(path string) act {
	return act{"rm " + path, func(p *player) {
		require.NoError(p.t, p.store.Unlink(ctx, p.ino(parent(path)), base(path)))
	}, func(w *world) { delete(w.files, path); delete(w.scratch, path) }}
}

func noEffect(*world) {}

func (p *player) drain() {
	p.store.RetryNow()
	require.NoError(p.t, p.store.Drain(ctx))
}

var (
	leave = act{"the service goes away", func(p *player) { p.service.away.Store(true) }, noEffect}
	back  = act{"the service is back", func(p *player) { p.service.away.Store(false); p.drain() }, noEffect}
	drain = act{"drain", (*player).drain, noEffect}
)

// abandon is the act of a program that is killed while it writes.
func abandon(path, content string) act {
	return act{"killed while writing " + path, func(p *player) {
		h := p.open(path)
		p.writeHalves(h, content)
		h.Abandon(errors.New("killed"))
		h.Release()
	}, func(w *world) { w.failed[path] = content }}
}

// script covers every operation of the store that leaves something on disk or at the service.
// The service refuses paths whose name begins with "bad".
func script(writeBack bool) []act {
	acts := []act{
		moves, mkdir("d"), write("a", "a, first"), drain, write("a", "a, second"), write("d/b", "b, first"),
	}
	if writeBack {
		acts = append(acts, back, leave, write("d/b", "b, second"), write("d/c", "c"), rename("d/c", "d/c2"), mkdir("e"), write("e/x", "x, first"),
			renameDir("e", "f"), write("f/x", "x, second"), write("g", "g"), unlink("g"), write("q", "q"),
			act{"discard q", func(p *player) { require.NoError(p.t, p.store.DiscardQueued(path.Join(p.top, "q"))) },
				func(w *world) { delete(w.files, "q"); w.failed["q"] = "q" }},
			write(".h", "h, queued"), rename(".h", "h"), mkdir(".t"), renameDir(".t", "t"), back)
	}
	return append(acts,
		write(".i", "i, from scratch"), rename(".i", "i"), mkdir(".s"), renameDir(".s", "s"),
		act{"touch empty", func(p *player) { p.open("empty").Release() }, func(w *world) { w.files["empty"] = "" }},
		write("bad1", "bad, first"), drain,
		act{"retry bad1 as good", func(p *player) {
			require.NoError(p.t, p.store.RetryFailed(ctx, "bad1", p.ino(""), "good", false))
		}, func(w *world) { w.files["good"] = w.files["bad1"]; delete(w.files, "bad1") }},
		write("bad2", "bad, second"), drain,
		act{"discard bad2", func(p *player) { require.NoError(p.t, p.store.DiscardFailed("bad2")) }, func(w *world) { delete(w.files, "bad2") }},
		abandon("k", "k, half"), abandon("a", "a, half"),
		write(".j", "j"), write("j", "j, replaced"), drain, rename(".j", "j"), drain,
		rename("d/b", "d/b3"), rename("i", ".i"), rename(".i", "i2"), drain,
		act{"truncate i2", func(p *player) { require.NoError(p.t, p.store.SetSize(ctx, p.ino("i2"), 1)) }, func(w *world) { w.files["i2"] = "i" }},
		write(".n", "n, first"), write(".o", "n, second"), rename(".o", ".n"), drain,
		write(".l", "l"), linkName(".l", ".m"), unlink(".m"), rename(".l", "l"), drain, write(".m", "m"), rename(".m", "m"),
		mkdir(".w"), write(".w/x", "w, x"), write(".w/y", "w, y"), write(".w/.z", "w, z"), renameDir(".w", "w"),
		drain, unlink("good"), mkdir("gone"), drain,
		act{"rmdir gone", func(p *player) { require.NoError(p.t, p.store.Rmdir(ctx, p.ino(""), "gone")) }, func(w *world) { delete(w.dirs, "gone") }},
	)
}

func parent(p string) string { return strings.TrimPrefix(path.Dir("/"+p), "/") }
func base(p string) string   { return path.Base(p) }
