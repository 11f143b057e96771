package media

import (
	"bufio"
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"paperfs/cache/state"
	"paperfs/cache/state/statetest"
	"paperfs/remote"
	"paperfs/remote/service/kit/servicetest"
	"paperfs/remote/testrun"
)

// Environment variables that turn TestKilledChild into the process to be killed.
const (
	childURL      = "MEDIA_TEST_URL"
	childUsername = "MEDIA_TEST_USERNAME"
	childPassword = "MEDIA_TEST_PASSWORD"
	childDir      = "MEDIA_TEST_DIR"
	childQueues   = "MEDIA_TEST_WRITE_BACK"
)

// TestKill kills a process while it writes. Content whose close returned is at the service;
// content that was not closed is not at the service but in failed/.
func TestKill(t *testing.T) {
	t.Parallel()
	testKill(t, false)
}

// TestKillWriteBack is TestKill with closes that only queue: the service receives their
// content after the next start.
func TestKillWriteBack(t *testing.T) {
	t.Parallel()
	testKill(t, true)
}

func testKill(t *testing.T, writeBack bool) {
	service := servicetest.Start(t)
	client, err := remote.New(remote.Options{BaseURL: service.URL, Username: service.Username, Password: service.Password})
	require.NoError(t, err)
	t.Cleanup(client.Close)
	dirs := state.Dirs{State: t.TempDir(), Cache: t.TempDir()}
	statetest.Prepare(t, dirs)
	begun := map[string]bool{}    // "path sum" of every close that was begun
	closed := map[string]string{} // the last one of each path that returned 0
	for range 8 {
		killed(t, service, dirs, begun, closed, writeBack)
		checkSurvivors(t, client, dirs, begun, closed, writeBack)
	}
	require.NotEmpty(t, closed)
}

// killed runs the child for a moment and collects its output.
func killed(t *testing.T, service *servicetest.Fixture, dirs state.Dirs, begun map[string]bool, closed map[string]string, writeBack bool) {
	child := exec.Command(os.Args[0], "-test.run=^TestKilledChild$")
	child.Env = append(os.Environ(), childURL+"="+service.URL, childUsername+"="+service.Username,
		childPassword+"="+service.Password, childDir+"="+dirs.State+"\n"+dirs.Cache)
	if writeBack {
		child.Env = append(child.Env, childQueues+"=1")
	}
	out, err := child.StdoutPipe()
	require.NoError(t, err)
	require.NoError(t, child.Start())
	defer func() { _ = child.Process.Kill(); _ = child.Wait() }()
	lines := bufio.NewScanner(out)
	for seen, last := 0, 5+rand.IntN(60); lines.Scan(); {
		word, rest, _ := strings.Cut(lines.Text(), " ")
		path, content, _ := strings.Cut(rest, " ")
		switch word {
		case "begin":
			begun[path+" "+content] = true
		case "done":
			closed[path] = content
		default:
			continue
		}
		if seen++; seen == last {
			time.Sleep(time.Duration(rand.IntN(2000)) * time.Microsecond) // anywhere in the rest
			require.NoError(t, child.Process.Kill())
		}
	}
}

// checkSurvivors opens what the killed process left and compares.
func checkSurvivors(t *testing.T, client *remote.Client, dirs state.Dirs, begun map[string]bool, closed map[string]string, writeBack bool) {
	st, err := state.Open(dirs, "/mnt")
	require.NoError(t, err)
	require.NoError(t, checkClosed(st.DB(), dirs.State))
	store, err := Open(Options{Service: client, State: st, Reserve: -1, WriteBack: writeBack})
	require.NoError(t, err)
	require.Eventually(t, store.Idle, testrun.Patience(), time.Millisecond)
	held := map[string]string{}
	require.Eventually(t, func() bool { return agree(t, store, client, held) }, testrun.Patience(), time.Millisecond)
	for name, digest := range held {
		require.True(t, begun[name+" "+digest], "%s has content that was never closed", name)
	}
	for path, content := range closed {
		require.Contains(t, held, path)
		// A later close may have taken effect without an answer.
		if held[path] != content {
			require.True(t, begun[path+" "+held[path]], path)
		}
	}
	list, err := store.List(ctx, Root)
	require.NoError(t, err)
	require.Len(t, list.Entries, len(held))
	require.Zero(t, store.Status().Writing)
	for _, e := range store.Failed() {
		require.Contains(t, e.Reason, "before the file was closed", e.Path)
		require.NoError(t, store.DiscardFailed(e.Name))
	}
	require.Zero(t, store.Status().SpoolBytes)
	closeChecked(t, store)
	require.NoError(t, st.Close())
}

// closeChecked closes a store and checks its consistency.
func closeChecked(t *testing.T, store *Store) {
	require.NoError(t, store.Close())
	require.NoError(t, store.check())
	require.NoError(t, store.checkDisk())
}

// agree reads the service's content, and reports whether the store shows it: requests of the
// killed process may still take effect.
func agree(t *testing.T, store *Store, client *remote.Client, held map[string]string) bool {
	require.NoError(t, store.Refresh(ctx))
	tree, err := client.GetTree(ctx)
	require.NoError(t, err)
	for _, f := range tree.Files {
		held[f.Name] = f.SHA256
		a, err := store.Find(ctx, f.Name)
		if err != nil || a.Where != Published || a.Size != f.Bytes || a.SHA256.String() != f.SHA256 {
			return false
		}
	}
	return true
}

// TestKilledChild writes files until it is killed, and reports the start and end of each.
func TestKilledChild(t *testing.T) {
	if os.Getenv(childURL) == "" {
		t.Skip("the process that TestKill kills")
	}
	client, err := remote.New(remote.Options{BaseURL: os.Getenv(childURL), Username: os.Getenv(childUsername), Password: os.Getenv(childPassword)})
	require.NoError(t, err)
	t.Cleanup(client.Close) // its idle connections would hold up the end of the process
	stateDir, cacheDir, _ := strings.Cut(os.Getenv(childDir), "\n")
	st, err := state.Open(state.Dirs{State: stateDir, Cache: cacheDir}, "/mnt")
	require.NoError(t, err)
	store, err := Open(Options{Service: client, State: st, Reserve: -1, WriteBack: os.Getenv(childQueues) != ""})
	require.NoError(t, err)
	for {
		name := fmt.Sprintf("f%d", rand.IntN(4))
		content := fmt.Sprintf("%s %x", name, rand.Uint64())
		var h *Handle
		if a, err := store.Lookup(ctx, Root, name); err == nil {
			h, err = store.Open(a.Ino, true)
			require.NoError(t, err)
			require.NoError(t, h.Truncate(0))
		} else {
			_, h, err = store.Create(Root, name, New{Mode: 0o644, UID: Owner, GID: Owner})
			require.NoError(t, err)
		}
		_, err := h.WriteAt([]byte(content), 0)
		require.NoError(t, err)
		digest := sum([]byte(content))
		fmt.Printf("begin %s %s\n", name, digest)
		require.NoError(t, h.Flush(ctx))
		fmt.Printf("done %s %s\n", name, digest)
		h.Release()
	}
}
