package mounttest

import (
	"crypto/sha256"
	"encoding/hex"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"paperfs/remote"
	"paperfs/remote/testrun"
)

// atService returns the SHA-256 of every media file on the service, by path.
func (m *mounted) atService() map[string]string {
	m.t.Helper()
	tree := testrun.Must(m.client().GetTree(m.t.Context()))(m.t)
	dirs := map[int64]string{0: ""}
	for _, d := range tree.Dirs {
		dirs[d.ID] = dirs[d.Parent] + d.Name + "/"
	}
	files := map[string]string{}
	for _, f := range tree.Files {
		files[dirs[f.Parent]+f.Name] = f.SHA256
	}
	return files
}

func sum(data string) string {
	digest := sha256.Sum256([]byte(data))
	return hex.EncodeToString(digest[:])
}

// sums returns the SHA-256 of every file below a directory of this machine.
func sums(t *testing.T, dir string) map[string]string {
	t.Helper()
	files := map[string]string{}
	require.NoError(t, filepath.WalkDir(dir, func(path string, entry os.DirEntry, err error) error {
		if err != nil || !entry.Type().IsRegular() {
			return err
		}
		data, err := os.ReadFile(path)
		rel, _ := filepath.Rel(dir, path)
		files[rel] = sum(string(data))
		return err
	}))
	return files
}

func TestCopiesArriveByteForByte(t *testing.T) {
	t.Parallel()
	m := newMount(t)
	m.sh(`mkdir "$HOME/src" "$HOME/src/sub" && seq 1 200000 > "$HOME/src/numbers" && head -c 3000000 /dev/urandom > "$HOME/src/random" &&
		: > "$HOME/src/empty" && echo ä > "$HOME/src/sub/ünïcode name.txt" && cp "$HOME/src/random" "$HOME/src/sub/same"`)
	want := sums(t, m.home+"/src")
	for name, script := range map[string]string{
		"cp -r":    `cp -r "$HOME/src" media/cp`,
		"rsync -a": `rsync -a "$HOME/src/" media/rsync/`,
		"tar x":    `mkdir media/tar && tar c -C "$HOME/src" . | tar x -C media/tar`,
	} {
		dir := strings.Fields(name)[0]
		m.sh(script)
		m.eventually(`grep -q '"idle": true' .paperfs/status`)
		got := map[string]string{}
		for path, digest := range m.atService() {
			if rel, ok := strings.CutPrefix(path, dir+"/"); ok {
				got[rel] = digest
			}
		}
		assert.Equal(t, want, got, name)
		m.sh(`diff -r "$HOME/src" media/` + dir)
	}
}

func TestAFailingUploadMakesCpFailTwiceInARow(t *testing.T) {
	t.Parallel()
	m := newMount(t)
	m.sh(`echo one > "$HOME/f"; ls media`)
	m.refuse(remote.UploadFile, `<result><code>ERROR</code><message>No room.</message></result>`)
	for range 2 {
		assert.Contains(t, m.fails(`cp "$HOME/f" media/f`), "Input/output error")
		m.eventually(`! test -e media/f`) // removed once the kernel has released it
	}
	assert.Contains(t, m.sh(`cat .paperfs/errors`), "No room.")
	assert.Contains(t, m.sh(`"$PAPERFS" why media/f`), "No room")
	assert.Len(t, strings.Fields(m.sh(`ls .paperfs/failed`)), 1)
	m.proxy.Heal()
	m.sh(`cp "$HOME/f" media/f && cmp "$HOME/f" media/f`)
}

func TestModeAndTimesAreKeptAndCostNothing(t *testing.T) {
	t.Parallel()
	m := newMount(t)
	m.sh(`echo x > media/f`)
	assert.Empty(t, m.cost(`chmod 640 media/f; touch -d '2020-01-02 03:04:05.678901234' media/f`))
	m.remount()
	assert.Equal(t, "640 2020-01-02 03:04:05.678901234", m.sh(`stat -c '%a %y' media/f | cut -d' ' -f1-3`))
}

func TestNothingIsDeletedWithoutTheFlag(t *testing.T) {
	t.Parallel()
	m := newMount(t)
	m.sh(`mkdir media/d papers/A papers/A/X.paper && echo x > media/f`)
	m.sh(`ls papers/A/X.paper/*`) // the names of settings and fields
	m.proxy.Reset()
	m.fails(`rm media/f`)
	m.fails(`rmdir media/d`)
	m.fails(`rmdir papers/A/X.paper`)
	m.fails(`rm -rf papers/A`)
	m.fails(`find papers/A -delete`)
	assert.Empty(t, m.asked())
	m.remount("--allow-delete")
	m.sh(`rm media/f && rmdir media/d && rmdir papers/A/X.paper && rmdir papers/A`)
	assert.Empty(t, m.atService())
	assert.Empty(t, m.sh(`ls papers media`+` | grep -v : || true`))
}
