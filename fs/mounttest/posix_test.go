package mounttest

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"paperfs/remote/testrun"
)

// posixCases are the rules of POSIX for rename, unlink and rmdir of files and directories. Each begins in a new directory
// with the files f and g, the directory d with the file d/f, and the empty directories e and e2.
var posixCases = map[string]string{
	"rename a file":                            "rename f new",
	"rename a file to itself":                  "rename f f",
	"rename a file over a file":                "rename f g",
	"rename a file over an open file":          "open g; rename f g",
	"rename an open file":                      "open f; rename f new",
	"rename a file into a directory":           "rename f d/new",
	"rename a file over one in a directory":    "rename f d/f",
	"rename a file out of a directory":         "rename d/f new",
	"rename a file onto a directory":           "rename f d",
	"rename a file onto an empty directory":    "rename f e",
	"rename a file that is not there":          "rename none new",
	"rename a file to a parent not there":      "rename f none/new",
	"rename a file below a file":               "rename f g/new",
	"rename what is below a file":              "rename f/x new",
	"rename a file to a name too long":         "rename f LONG",
	"rename from a name too long":              "rename LONG new",
	"rename to an empty name":                  "rename f EMPTY",
	"rename a directory":                       "rename d new",
	"rename a directory to itself":             "rename d d",
	"rename a directory over an empty one":     "rename d e",
	"rename an empty directory over another":   "rename e e2",
	"rename a directory over one that is full": "rename e d",
	"rename a directory onto a file":           "rename d f",
	"rename a directory into another":          "rename d e/new",
	"rename a directory below itself":          "rename d d/new",
	"rename a directory deep below itself":     "mkdir d/x; rename d d/x/y",
	"rename a directory over its parent":       "mkdir d/x; rename d/x d",
	"rename a directory that is not there":     "rename none/ new",
	"rename a file with a slash at its end":    "rename f/ new",
	"rename a file to a name with a slash":     "rename f new/",
	"rename a directory to a name and a slash": "rename d new/",
	"rename the current directory":             "rename d/. new",
	"rename to the parent directory":           "rename f d/..",
	"a file that was renamed over is gone":     "rename f g; rename f new",
	"a file that was renamed has its content":  "rename f g; read g",
	"an open file that was renamed over":       "open g; rename f g; unlink g; rename g new",
	"unlink a file":                            "unlink f",
	"unlink a file twice":                      "unlink f; unlink f",
	"unlink an open file":                      "open f; unlink f",
	"unlink what is below a file":              "unlink f/x",
	"unlink a file with a slash at its end":    "unlink f/",
	"unlink in a directory not there":          "unlink none/f",
	"unlink a name too long":                   "unlink LONG",
	"unlink a directory":                       "unlink d",
	"unlink an empty directory":                "unlink e",
	"create a file that was unlinked":          "unlink f; create f; read f",
	"rmdir a directory":                        "rmdir e",
	"rmdir a directory that is full":           "rmdir d",
	"rmdir a file":                             "rmdir f",
	"rmdir the current directory":              "rmdir e/.",
	"rmdir the parent directory":               "rmdir d/..",
	"rmdir a directory that was emptied":       "unlink d/f; rmdir d",
	"rmdir a directory twice":                  "rmdir e; rmdir e",
	"create in a directory that is gone":       "rmdir e; create e/f",
}

// posixDiffers has the cases in which media/ answers otherwise than a disk, and why.
var posixDiffers = map[string]string{}

// TestMediaIsPosix compares what media/ answers to renames and removals with what a directory of this machine does, also
// what is there afterwards.
func TestMediaIsPosix(t *testing.T) {
	t.Parallel()
	m := newMount(t, "--allow-delete")
	require.GreaterOrEqual(t, len(posixCases), 40)
	for name, steps := range posixCases {
		t.Run(name, func(t *testing.T) {
			place := strings.ReplaceAll(name, " ", "-")
			here, there := filepath.Join(t.TempDir(), place), filepath.Join(m.dir, "media", place)
			want, got := posixRun(t, here, steps), posixRun(t, there, steps)
			if why, differs := posixDiffers[name]; differs {
				require.NotEqual(t, want, got, "it is as on a disk now: %s", why)
				return
			}
			assert.Equal(t, want, got)
		})
	}
}

// posixRun makes the directory of a case, and returns the errno of its steps and the names and contents that are left.
func posixRun(t *testing.T, dir, steps string) []string {
	t.Helper()
	for _, made := range []string{"", "d", "e", "e2"} {
		require.NoError(t, os.Mkdir(filepath.Join(dir, made), 0o755))
	}
	for _, file := range []string{"f", "g", "d/f"} {
		require.NoError(t, os.WriteFile(filepath.Join(dir, file), []byte(file), 0o644))
	}
	var said []string
	for step := range strings.SplitSeq(steps, "; ") {
		said = append(said, step+": "+posixStep(t, dir, strings.Fields(step)))
	}
	err := filepath.WalkDir(dir, func(path string, e os.DirEntry, err error) error {
		if err != nil || e.IsDir() {
			said = append(said, strings.TrimPrefix(path, dir))
			return err
		}
		text, err := os.ReadFile(path)
		said = append(said, strings.TrimPrefix(path, dir)+"="+string(text))
		return err
	})
	require.NoError(t, err)
	return said
}

// posixStep makes one system call. Paths are passed as they are.
func posixStep(t *testing.T, dir string, words []string) string {
	at := func(i int) string {
		switch words[i] {
		case "LONG":
			return dir + "/" + strings.Repeat("x", 256)
		case "EMPTY":
			return ""
		}
		return dir + "/" + words[i]
	}
	var err error
	switch words[0] {
	case "rename":
		err = syscall.Rename(at(1), at(2))
	case "unlink":
		err = syscall.Unlink(at(1))
	case "rmdir":
		err = syscall.Rmdir(at(1))
	case "mkdir":
		err = syscall.Mkdir(at(1), 0o755)
	case "create":
		err = os.WriteFile(at(1), []byte("new"), 0o644)
	case "read":
		var text []byte
		if text, err = os.ReadFile(at(1)); err == nil {
			return string(text)
		}
	case "open":
		var f *os.File
		if f, err = os.Open(at(1)); err == nil {
			t.Cleanup(func() { f.Close() })
		}
	}
	if en := syscall.Errno(0); errors.As(err, &en) {
		return en.Error()
	}
	require.NoError(t, err)
	return "done"
}

// TestModesOfFallocate checks what the modes of fallocate(2) answer for a PDF, a file of media/, and one with a temporary
// name, and that no directory has O_TMPFILE. A refusal changes nothing, nor what the kernel asks for other files.
func TestModesOfFallocate(t *testing.T) {
	t.Parallel()
	testrun.Program(t, "python3")
	m := newMount(t)
	m.put("new.pdf", pdfOf(t, 1, 9000))
	m.sh(`mkdir papers/A.paper`)
	require.Equal(t, strings.Repeat("keep size: 9000\ngrow: 20000\nall refused\n", 3)+"no O_TMPFILE", m.sh(`python3 -c '
import ctypes, errno, os
libc = ctypes.CDLL(None, use_errno=True)
pdf = open(os.environ["HOME"] + "/new.pdf", "rb").read()
def allocate(f, mode, size):
    if libc.fallocate(f, mode, ctypes.c_long(1000), ctypes.c_long(size - 1000)):
        raise OSError(ctypes.get_errno(), "fallocate")
def refused(call, *args):
    try:
        call(*args)
    except OSError as e:
        assert e.errno == errno.EOPNOTSUPP, (args, e)
        return
    raise AssertionError(args)
keep, punch, collapse, zero, insert, unshare = 1, 2, 8, 16, 32, 64
never = keep | punch, collapse, zero, zero | keep, insert, unshare
for name in "papers/A.paper/source.pdf", "media/f", "media/.f":
    f = os.open(name, os.O_RDWR | os.O_CREAT)
    os.write(f, pdf)
    allocate(f, keep, 20000)
    print("keep size:", os.fstat(f).st_size)
    allocate(f, 0, 20000)
    print("grow:", os.fstat(f).st_size)
    os.ftruncate(f, 9000)
    for mode in never:
        refused(allocate, f, mode, 5096)
    assert os.pread(f, 9999, 0) == pdf
    print("all refused")
    os.close(f)
for dir in "media", "papers", "papers/A.paper", ".":
    refused(os.open, dir, os.O_TMPFILE | os.O_RDWR)
print("no O_TMPFILE")'`))
	m.eventually(`cmp media/f "$HOME/new.pdf"`)
}
