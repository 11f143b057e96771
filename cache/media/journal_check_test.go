package media

import (
	"fmt"
	"io"
	"maps"
	"os"
	"path"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"paperfs/cache/state"
	"paperfs/remote/testrun"
)

// check opens what a process left and compares it with what its acts promised.
func (p *process) check(k kill) {
	st, err := state.Open(p.dirs, "/mnt")
	require.NoError(p.t, err)
	require.NoError(p.t, checkClosed(st.DB(), p.dirs.State), "a killed mount leaves a consistent store")
	store, err := Open(Options{Service: p.client, State: st, Reserve: -1, Linger: -1, Debounce: -1, WriteBack: true, AllowDelete: true})
	require.NoError(p.t, err)
	defer func() {
		closeChecked(p.t, store)
		require.NoError(p.t, st.Close())
	}()
	store.RetryNow()
	require.NoError(p.t, store.Drain(ctx))

	acts := script(p.writeBack)
	p.contents = digests(acts)
	v := &verdict{before: newWorld(), held: map[string][]string{}}
	for i := 0; i <= p.begun; i++ {
		if v.after = v.before.clone(); i <= p.done {
			acts[i].then(v.before)
		}
		acts[i].then(v.after)
		for name, content := range v.after.files {
			v.held[name] = append(v.held[name], content)
		}
	}
	if v.after == nil {
		v.after = v.before
	}
	doing := "before the first act"
	if p.begun >= 0 {
		doing = acts[p.begun].name
	}
	var wrong []string
	for deadline := time.Now().Add(testrun.Patience()); time.Now().Before(deadline); time.Sleep(10 * time.Millisecond) {
		// Requests of the killed process may still take effect.
		if v.found, wrong = p.found(store); len(wrong) == 0 {
			wrong = append(v.wrong(), tidy(store, v.found)...)
		}
		if len(wrong) == 0 {
			return
		}
	}
	p.t.Fatalf("%s\nkilled at %+v in %q, done %t\nbefore %+v\nafter %+v\nfound %+v",
		strings.Join(wrong, "\n"), k, doing, p.done == p.begun, v.before, v.after, v.found)
}

// found returns the contents of the service, failed/ and scratch for the trial, and what the
// store shows differently.
func (p *process) found(store *Store) (w *world, wrong []string) {
	w = newWorld()
	require.NoError(p.t, store.Refresh(ctx))
	tree, err := p.client.GetTree(ctx)
	require.NoError(p.t, err)
	paths := map[int64]string{0: ""}
	inside := func(parent int64, name string) string {
		return strings.TrimPrefix(path.Join(paths[parent], name), p.top+"/")
	}
	for _, d := range tree.Dirs {
		paths[d.ID] = path.Join(paths[d.Parent], d.Name)
		if strings.HasPrefix(paths[d.ID], p.top+"/") {
			w.dirs[inside(d.Parent, d.Name)] = true
		}
	}
	for _, f := range tree.Files {
		if full := path.Join(paths[f.Parent], f.Name); strings.HasPrefix(full, p.top+"/") {
			name := inside(f.Parent, f.Name)
			if _, twice := w.files[name]; twice {
				wrong = append(wrong, name+" exists twice")
			}
			content, known := p.contents[f.SHA256]
			if w.files[name] = content; !known {
				wrong = append(wrong, name+" has content that no act wrote")
			}
			a, err := store.Find(ctx, full)
			if err != nil || a.Where != Published || a.ID != f.ID || a.Size != f.Bytes || a.SHA256.String() != f.SHA256 {
				wrong = append(wrong, fmt.Sprintf("the store shows %+v as %+v: %v", f, a, err))
			}
		}
	}
	for _, e := range store.Failed() {
		f, err := store.OpenFailed(e.Name)
		require.NoError(p.t, err)
		content, err := io.ReadAll(f)
		require.NoError(p.t, err)
		f.Close()
		require.EqualValues(p.t, len(content), e.Size, e.Path)
		w.failed[strings.TrimPrefix(e.Path, p.top+"/")] = string(content)
	}
	return w, append(wrong, p.scratch(store, p.top, w)...)
}

// digests returns all contents that acts leave, by SHA-256.
func digests(acts []act) map[string]string {
	all, w := map[string]string{}, newWorld()
	for _, a := range acts {
		a.then(w)
		for _, content := range w.contents() {
			all[sum([]byte(content))] = content
		}
	}
	return all
}

// scratch adds the scratch files of a directory to w, and lists what else the store shows that
// the service does not have.
func (p *process) scratch(store *Store, dir string, w *world) (wrong []string) {
	at, err := store.Find(ctx, dir)
	require.NoError(p.t, err)
	listing, err := store.List(ctx, at.Ino)
	require.NoError(p.t, err)
	for _, e := range listing.Entries {
		full := path.Join(dir, e.Name)
		name := strings.TrimPrefix(full, p.top+"/")
		a, err := store.Stat(e.Ino)
		require.NoError(p.t, err)
		switch {
		case e.Kind == Directory && (a.Where == Local || w.dirs[name]):
			wrong = append(wrong, p.scratch(store, full, w)...)
		case a.Where == Local:
			h, err := store.Open(e.Ino, false)
			require.NoError(p.t, err)
			content, err := io.ReadAll(io.NewSectionReader(readerAt{h}, 0, 1<<20))
			require.NoError(p.t, err)
			h.Release()
			for other, kept := range w.scratch {
				if b, err := store.Find(ctx, path.Join(p.top, other)); err == nil && b.Ino == e.Ino {
					w.twice = append(w.twice, kept)
					break
				}
			}
			w.scratch[name] = string(content)
		default:
			if _, there := w.files[name]; !there {
				wrong = append(wrong, name+" is shown, but not at the service")
			}
		}
	}
	return wrong
}

// tidy returns leftovers.
func tidy(store *Store, found *world) (wrong []string) {
	want := int64(0)
	for _, m := range []map[string]string{found.failed, found.scratch} {
		for _, content := range m {
			want += int64(len(content))
		}
	}
	for _, content := range found.twice {
		want -= int64(len(content))
	}
	if st := store.Status(); st.SpoolBytes != want || st.Writing != 0 {
		wrong = append(wrong, fmt.Sprintf("%d bytes in the spool instead of %d, %d files being written", st.SpoolBytes, want, st.Writing))
	}
	if spools, err := os.ReadDir(store.Spools.Path); err != nil || len(spools) > len(found.scratch) {
		wrong = append(wrong, fmt.Sprintf("too many files in the spool: %d, %v", len(spools), err))
	}
	return wrong
}

// verdict compares what was found with what must hold before and after the interrupted act.
type verdict struct {
	before, after, found *world
	held                 map[string][]string // all contents that each path had in the acts that started
}

// wrong lists the violations.
func (v *verdict) wrong() (list []string) {
	say := func(format string, args ...any) { list = append(list, fmt.Sprintf(format, args...)) }
	for name, content := range v.found.files {
		if !slices.Contains(v.held[name], content) {
			say("%s was published with %q, which was never closed", name, content)
		}
	}
	all := v.found.clone()
	for name := range union(v.before, v.after, v.found) {
		for kind, m := range map[string][3]map[string]string{
			"files":   {v.before.files, v.after.files, all.files},
			"failed":  {v.before.failed, v.after.failed, all.failed},
			"scratch": {v.before.scratch, v.after.scratch, all.scratch},
		} {
			if problem := v.compare(kind, name, m[0], m[1], m[2]); problem != "" {
				say("%s", problem)
			}
		}
	}
	for _, content := range v.before.contents() {
		if slices.Contains(v.after.contents(), content) && !slices.Contains(v.found.contents(), content) {
			say("%q is lost", content)
		}
	}
	if n := len(v.found.dirs); n != len(v.before.dirs) && n != len(v.after.dirs) {
		say("%d directories instead of %d or %d", n, len(v.before.dirs), len(v.after.dirs))
	}
	for name := range v.found.dirs {
		if !v.before.dirs[name] && !v.after.dirs[name] {
			say("unexpected directory %s", name)
		}
	}
	return list
}

// compare checks one path in one place.
func (v *verdict) compare(kind, name string, before, after, found map[string]string) string {
	was, wasThere := before[name]
	will, willBe := after[name]
	is, isThere := found[name]
	same := func(content string, there bool) bool { return there == isThere && content == is }
	switch {
	case same(was, wasThere), same(will, willBe):
		return ""
	case kind == "failed" && strings.HasPrefix(name, "unnamed-"):
		return "" // killed before the name was written; the service has nothing of it
	case kind == "scratch" && !isThere && v.linked(name, was):
		return ""
	case refusesName(path.Base(name)) && (v.found.failed[name] == v.before.files[name] || kind == "failed" && is == v.before.files[name]):
		return "" // refused, as the service does, or sent after all
	case v.touched(name) && kind != "files" && (!isThere || v.isPart(name, is)):
		return "" // partially written content
	}
	return fmt.Sprintf("%s %s: %q (%t), before %q (%t), after %q (%t)", kind, name, is, isThere, was, wasThere, will, willBe)
}

// linked reports whether content is also found under another name of the file: a new link
// survives a kill after fsync, or after a moment.
func (v *verdict) linked(name, content string) bool {
	for other, kept := range v.before.scratch {
		if other != name && kept == content && v.found.scratch[other] == content {
			return true
		}
	}
	return false
}

// touched reports whether the interrupted act changes a path.
func (v *verdict) touched(name string) bool {
	for _, m := range [][2]map[string]string{{v.before.files, v.after.files}, {v.before.failed, v.after.failed}, {v.before.scratch, v.after.scratch}} {
		was, wasThere := m[0][name]
		will, willBe := m[1][name]
		if wasThere != willBe || was != will {
			return true
		}
	}
	return false
}

// isPart reports whether content is a prefix of what the act writes, or the previous content of
// the path.
func (v *verdict) isPart(name, content string) bool {
	for _, w := range []*world{v.before, v.after} {
		for _, m := range []map[string]string{w.files, w.failed, w.scratch} {
			if whole, ok := m[name]; ok && strings.HasPrefix(whole, content) {
				return true
			}
		}
	}
	return false
}

func (w *world) contents() (all []string) {
	for _, m := range []map[string]string{w.files, w.failed, w.scratch} {
		all = slices.AppendSeq(all, maps.Values(m))
	}
	return all
}

func union(worlds ...*world) map[string]bool {
	names := map[string]bool{}
	for _, w := range worlds {
		for _, m := range []map[string]string{w.files, w.failed, w.scratch} {
			for name := range m {
				names[name] = true
			}
		}
	}
	return names
}

// closeChecked closes a store and checks its consistency.
func closeChecked(t *testing.T, store *Store) {
	require.NoError(t, store.Close())
	require.NoError(t, store.check())
	require.NoError(t, store.checkDisk())
}
