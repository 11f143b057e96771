package media_test

import (
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"paperfs/cache/media"
	"paperfs/remote"
	"paperfs/remote/service"
	"paperfs/remote/service/kit/servicetest"
	"paperfs/remote/testrun"
)

// TestAMoveIsOneRequest moves published files and directories with real programs, without --allow-delete: each costs
// one request, nothing is sent again, and what moves keeps its id. A file that is replaced keeps its own.
func TestAMoveIsOneRequest(t *testing.T) {
	t.Parallel()
	for script, c := range map[string]struct {
		op   string
		from string // what moves
		to   string
		has  string // whose id the new name has
	}{
		`mv a x`:         {"MoveFile", "a", "x", "a"},
		`mv a d`:         {"MoveFile", "a", "d/a", "a"},
		`mv a d/x`:       {"MoveFile", "a", "d/x", "a"},
		`mv a A`:         {"MoveFile", "a", "A", "a"},
		`mv -n a x`:      {"MoveFile", "a", "x", "a"},
		`mv -T a b`:      {"MoveFile", "a", "b", "b"},
		`mv -f a d/f`:    {"MoveFile", "a", "d/f", "d/f"},
		`mv d x`:         {"MoveDirectory", "d", "x", "d"},
		`mv d D`:         {"MoveDirectory", "d", "D", "d"},
		`mv d e`:         {"MoveDirectory", "d", "e/d", "d"},
		`mv -T d e`:      {"MoveDirectory", "d", "e", "d"},
		`mv d/in d/.. `:  {"MoveDirectory", "d/in", "in", "d/in"},
		`mv d/in e/else`: {"MoveDirectory", "d/in", "e/else", "d/in"},
		`python3 -c 'import os; os.rename("a", "b")'`: {"MoveFile", "a", "b", "b"},
		`git mv a x`: {"MoveFile", "a", "x", "a"},
	} {
		for mode, options := range map[string][]func(*media.Options){"direct": nil, "write-back": {writeBack}} {
			if !testrun.OneWay(script, mode == "direct") {
				continue
			}
			t.Run(script+", "+mode, func(t *testing.T) {
				t.Parallel()
				program, _, _ := strings.Cut(script, " ")
				testrun.Program(t, program)
				m := newMount(t, options...)
				m.sh(`mkdir -p d/in e; echo a > a; echo b > b; echo f > d/f; echo deep > d/in/deep`)
				if program == "git" {
					m.sh(`git init -q . && git add a`)
				}
				m.idle()
				before := m.allIDs()
				require.Equal(t, ops(c.op), m.cost(script))
				after := m.allIDs()
				require.Equal(t, before[c.has], after[c.to])
				if !strings.EqualFold(c.from, c.to) {
					require.NotContains(t, after, c.from)
				}
				m.sh(`rm -rf .git`)
				m.checkShownAll()
				m.remount()
				m.checkShownAll()
				require.Empty(t, m.store.Failed())
			})
		}
	}
}

// allIDs is ids with directories without a slash.
func (m *mount) allIDs() map[string]int64 {
	ids := map[string]int64{}
	for path, id := range m.ids() {
		ids[strings.TrimSuffix(path, "/")] = id
	}
	return ids
}

// TestTheServiceRefusesAMove lets a colleague take the new name, fill the directory that would be replaced, or remove
// what is to be moved, unseen.
func TestTheServiceRefusesAMove(t *testing.T) {
	t.Parallel()
	for script, c := range map[string]struct {
		theirs func(m *mount, ids map[string]int64) error
		words  string
	}{
		`python3 -c 'import os; os.rename("a", "theirs")'`: {func(m *mount, _ map[string]int64) error {
			_, err := m.client.UploadFile(m.t.Context(), 0, "theirs", bytesContent("theirs"))
			return err
		}, "Device or resource busy"},
		`python3 -c 'import os; os.rename("d", "theirs")'`: {func(m *mount, _ map[string]int64) error {
			_, err := m.client.CreateDirectory(m.t.Context(), 0, "theirs")
			return err
		}, "Device or resource busy"},
		`mv -T d e`: {func(m *mount, ids map[string]int64) error {
			_, err := m.client.UploadFile(m.t.Context(), ids["e/"], "theirs", bytesContent("theirs"))
			return err
		}, "Directory not empty"},
		`mv a x`: {func(m *mount, ids map[string]int64) error {
			return m.client.DeleteFile(m.t.Context(), ids["a"])
		}, "No such file or directory"},
	} {
		t.Run(script, func(t *testing.T) {
			t.Parallel()
			m := newMount(t)
			m.sh(`mkdir d e; echo a > a; echo f > d/f; test ! -e theirs`)
			require.NoError(t, c.theirs(m, m.ids()))
			before := m.ids()
			require.Contains(t, m.fails(script), c.words)
			require.Equal(t, before, m.ids())
			m.eventually(func() bool { return fmt.Sprint(before) == fmt.Sprint(m.ids()) })
			m.checkShownAll()
			require.Empty(t, m.store.Failed())
		})
	}
}

// TestProgramsOfWhatIsMoved moves files that programs have open, are writing, or have mapped, over files that are open,
// too, and directories with such files.
func TestProgramsOfWhatIsMoved(t *testing.T) {
	t.Parallel()
	for _, move := range []string{`mv a x`, `mv a b`, `mv d e/x`} {
		for mode, options := range map[string][]func(*media.Options){"direct": nil, "write-back": {writeBack}} {
			t.Run(move+", "+mode, func(t *testing.T) {
				t.Parallel()
				m := newMount(t, options...)
				from, to, _ := strings.Cut(strings.TrimPrefix(move, "mv "), " ")
				if from == "d" {
					from, to = "d/f", "e/x/f"
				}
				m.sh(`mkdir d e; for f in a b d/f; do { echo $f; head -c 300000 /dev/zero; } > $f; done`)
				m.drained()
				m.sh(fmt.Sprintf(`cat > ../hold.py <<'END'
import mmap, os, subprocess
read, b = os.open("%[1]s", os.O_RDONLY), os.open("b", os.O_RDONLY)
write = os.open("%[1]s", os.O_RDWR)
held = mmap.mmap(read, 0, prot=mmap.PROT_READ)
subprocess.run("%[3]s", shell=True, check=True)
assert os.fstat(read).st_ino == os.stat("%[2]s").st_ino
assert os.pread(read, 3, 0) == held[:3] == b"%[1]s\n\0"[:3]
assert os.pread(b, 2, 0) == b"b\n" and len(os.pread(b, 1 << 20, 0)) == 300002
os.pwrite(write, b"X", 0)
assert held[:1] == b"X"
os.close(write)
END
python3 ../hold.py`, from, to, move))
				m.drained()
				require.True(t, strings.HasPrefix(m.sh(`head -c 1 `+to), "X"))
				m.checkShownAll()
				require.Empty(t, m.store.Failed())
				require.Empty(t, m.failures.Events())
			})
		}
	}
}

// TestQueuedFilesFollowTheirDirectory moves a directory while what was written there waits in the queue, and remounts:
// all of it arrives where the directory is.
func TestQueuedFilesFollowTheirDirectory(t *testing.T) {
	t.Parallel()
	m := newMount(t, writeBack)
	m.sh(`mkdir d; echo sent > d/sent; echo old > d/known`)
	m.drained()
	release := m.proxy.Freeze(remote.UploadFile)
	m.sh(`echo new > d/new; mkdir d/sub; echo deep > d/sub/deep; echo newer > d/known; mv d x; mv x/sent x/known2; cat x/new x/known`)
	require.NotContains(t, m.sh(`ls`), "d")
	m.sh(`mkdir y; mv x y/z`)
	release()
	m.remount()
	m.drained()
	require.Equal(t, sums(map[string]string{"y/z/known2": "sent\n", "y/z/known": "newer\n", "y/z/new": "new\n", "y/z/sub/deep": "deep\n"}), m.atService())
	m.checkShownAll()
	require.Empty(t, m.store.Failed())
}

// TestADirectoryWithManyFilesMovesAtOnce moves a directory with 2,000 files by one request; the mount shows them as before.
func TestADirectoryWithManyFilesMovesAtOnce(t *testing.T) {
	t.Parallel()
	testrun.Long(t, "uploads 2,000 files")
	m := newMount(t)
	m.sh(`mkdir d`)
	dir := m.ids()["d/"]
	for i := range 2_000 {
		_, err := m.client.UploadFile(t.Context(), dir, strconv.Itoa(i), bytesContent("x"))
		require.NoError(t, err)
	}
	require.NoError(t, m.store.Refresh(t.Context()))
	m.sh(`ls -l d > ../before`)
	m.proxy.Reset()
	m.sh(`mv d e`)
	require.Equal(t, 1, m.proxy.Total())
	m.sh(`ls -l e > ../after; cmp ../before ../after`)
}

// TestProgramsThatSaveByMoves saves a file as editors and other programs do. Of a service without moves, some say that
// they cannot; the file then has what it had.
func TestProgramsThatSaveByMoves(t *testing.T) {
	t.Parallel()
	for name, script := range map[string]string{
		"vim":               `mv f f~; echo new > f; rm f~`,
		"LibreOffice":       `echo new > lu12.tmp; mv f .f.bak; mv lu12.tmp f; rm .f.bak`,
		"a visible backup":  `mv f f.bak; echo new > f; rm f.bak`,
		"sed -i":            `sed -i s/old/new/ f`,
		"sed -i.bak":        `sed -i.bak s/old/new/ f; rm f.bak`,
		"rsync --backup":    `echo new > ../f; rsync -I --backup ../f f; test "$(cat f~)" = old; rm f~`,
		"install -b":        `echo new > ../f; install -m 644 -b ../f f; test "$(cat f~)" = old; rm f~`,
		"mv --backup":       `echo new > .new; mv --backup=simple --suffix=.bak .new f; test "$(cat f.bak)" = old; rm f.bak`,
		"tar x over files":  `mkdir ../t; echo new > ../t/f; tar c -C ../t f | tar x`,
		"tar x in a rename": `mkdir ../t; echo new > ../t/f; tar c -C ../t f | tar x --backup; test "$(cat f~)" = old; rm f~`,
	} {
		services := maps.Clone(modesOf(t))
		services["no moves"], services["neither moves nor deletions"] = []func(*media.Options){deleting, withoutMoves}, []func(*media.Options){withoutMoves}
		for mode, options := range services {
			t.Run(name+", "+mode, func(t *testing.T) {
				t.Parallel()
				m := newMount(t, options...)
				m.sh(`echo old > f`)
				m.drained()
				if slices.Contains(cannotSave[mode], name) {
					m.fails("set -e\n" + script)
					require.Equal(t, sum("old\n"), m.atService()["f"])
					require.Equal(t, "old", m.sh(`cat f`))
				} else {
					m.sh("set -e\n" + script)
					m.drained()
					require.Equal(t, map[string]string{"f": sum("new\n")}, m.atService())
					m.checkShownAll()
				}
				require.Empty(t, m.store.Failed())
			})
		}
	}
}

// cannotSave are the programs that call rename(2) and do not copy instead.
var cannotSave = map[string][]string{
	"no moves": {"sed -i.bak", "mv --backup"},
	"neither moves nor deletions": {"vim", "LibreOffice", "a visible backup", "sed -i.bak", "install -b", "mv --backup",
		"tar x over files", "tar x in a rename"},
}

// silent is a service of which nothing is known yet.
type silent struct{ media.Service }

func (silent) Offers() (remote.Offers, bool) { return remote.Offers{}, false }

// TestAServiceWithoutMovesSaysSo asks a service that lacks MoveFile before it has told what it offers.
func TestAServiceWithoutMovesSaysSo(t *testing.T) {
	t.Parallel()
	m := newMountOn(t, servicetest.Start(t, func(o *service.Options) { o.NoExtended = true }), deleting,
		func(o *media.Options) { o.Service = silent{o.Service} })
	m.sh(`echo a > a`)
	require.Contains(t, m.fails(`mv a b`), "not supported")
	require.Equal(t, "a", m.sh(`cat a`))
}
