package media

import (
	"context"
	"fmt"
	"io"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"paperfs/cache/media/recovery"
	"paperfs/cache/state"
	"paperfs/remote"
	"paperfs/remote/service/kit/disktest"
	"paperfs/remote/testrun"
)

// checkPowerCut starts on the disk of one moment, sends the queue, and checks every promise.
func checkPowerCut(t *testing.T, m disktest.Moment, kept disktest.Kept, name string) {
	dir, err := os.MkdirTemp(memory(), "media-power-cut-")
	require.NoError(t, err)
	defer os.RemoveAll(dir)
	require.NoError(t, m.Restore(dir, kept))
	st, err := state.Open(powerCutDirs(dir), "/mnt")
	require.NoError(t, err)
	defer func() { require.NoError(t, st.Close()) }()
	require.NoError(t, checkClosed(st.DB(), powerCutDirs(dir).State), "power cut before %q, after %q", m.Next, last(m.Said))
	require.NoError(t, st.SetValue(recovery.BootKey, "another"))
	v := newCutVerdict(m.Said)
	store, err := Open(cutOptions(told{v.service, func(string, ...any) {}}, st))
	require.NoError(t, err)
	defer closeChecked(t, store)
	papers := newFakePapers()
	(&fixture{store: store}).sendTo(papers)
	ends, end := context.WithTimeout(ctx, testrun.Patience())
	defer end()
	require.NoError(t, store.Drain(ends))
	if wrong := slices.Concat(v.pdfs(papers), v.published(), v.here(t, store)); len(wrong) > 0 {
		t.Fatalf("power cut before %q, after %q, with %s unsynced on the disk:\n%s", m.Next, last(m.Said), name, strings.Join(wrong, "\n"))
	}
}

func last(said []string) string {
	if len(said) == 0 {
		return ""
	}
	return said[len(said)-1]
}

// cutVerdict knows what was promised at a moment, and what the service had.
type cutVerdict struct {
	before, after *promised                  // of the act that was under way; equal if there was none
	ever          map[string]map[string]bool // contents with which each path may have been closed
	service       *fakeService
}

func newCutVerdict(said []string) *cutVerdict {
	v := &cutVerdict{before: &promised{map[string]string{}, map[string]string{}, ""}, ever: map[string]map[string]bool{}, service: newFakeService()}
	acts := cutScript()
	known := map[string]string{} // contents by their digests
	all := v.before.clone()
	for _, a := range acts {
		a.then(all)
		for _, content := range all.closed {
			known[sum([]byte(content))] = content
		}
	}
	v.after = v.before
	for _, line := range said {
		var i, id, parent int
		var name, digest string
		switch {
		case scan(line, "begin %d", &i):
			v.after = v.before.clone()
			acts[i].then(v.after)
			for at, content := range v.after.closed {
				if v.ever[at] == nil {
					v.ever[at] = map[string]bool{}
				}
				v.ever[at][content] = true
			}
		case scan(line, "done %d", &i):
			v.before = v.after
		case scan(line, "holds %d %d %s %s", &id, &parent, &name, &digest):
			content, ok := known[digest]
			if !ok {
				content = "content that was never closed"
			}
			v.service.files[int64(id)] = &fakeFile{parent: int64(parent), name: name, data: []byte(content)}
			v.service.next = max(v.service.next, int64(id))
		case scan(line, "directory %d %d %s", &id, &parent, &name):
			v.service.dirs[int64(id)] = remote.MediaDir{ID: int64(id), Parent: int64(parent), Name: name}
			v.service.next = max(v.service.next, int64(id))
		}
	}
	return v
}

func scan(line, format string, into ...any) bool {
	n, err := fmt.Sscanf(line, format, into...)
	return err == nil && n == len(into)
}

// published returns what is wrong at the service.
func (v *cutVerdict) published() (wrong []string) {
	found := v.service.all()
	for at, content := range found {
		_, was := v.before.closed[at]
		_, will := v.after.closed[at]
		switch {
		case !v.ever[at][content]:
			wrong = append(wrong, at+" was published with content that was never closed")
		case !was && !will:
			wrong = append(wrong, at+" was removed, but still exists")
		}
	}
	for at, content := range v.before.closed {
		will, stays := v.after.closed[at]
		is, there := found[at]
		if there && (is == content || is == will) || !there && !stays || refusesName(at) {
			continue
		}
		wrong = append(wrong, fmt.Sprintf("%s is lost: the service has %d bytes", at, len(is)))
	}
	return wrong
}

// here lists synced content that is missing locally.
func (v *cutVerdict) here(t *testing.T, store *Store) (wrong []string) {
	found := map[string]string{}
	for _, e := range store.Failed() {
		f, err := store.OpenFailed(e.Name)
		require.NoError(t, err)
		content, err := io.ReadAll(f)
		require.NoError(t, err)
		f.Close()
		found[e.Path] = string(content)
	}
	for at, content := range v.before.synced {
		if _, stays := v.after.synced[at]; !stays {
			continue // a close is under way
		}
		is, there := found[at]
		if a, err := store.Find(ctx, at); err == nil && a.Where == Local {
			is, there = readAt(t, store, a.Ino), true
		}
		if !there || is != content {
			wrong = append(wrong, fmt.Sprintf("%s was synced, but locally has %d bytes (exists: %t) of %d", at, len(is), there, len(content)))
		}
	}
	return wrong
}
