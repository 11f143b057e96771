package caller

import (
	"os"
	"os/exec"
	"path/filepath"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"golang.org/x/sys/unix"

	"paperfs/remote/testrun"
)

// sleeper starts a program that has a file open with these flags.
func sleeper(t *testing.T, flags int) (*exec.Cmd, *Program, File) {
	t.Helper()
	f := testrun.Must(os.OpenFile(filepath.Join(t.TempDir(), "f"), flags|os.O_CREATE, 0o600))(t)
	defer f.Close()
	var st unix.Stat_t
	require.NoError(t, unix.Fstat(int(f.Fd()), &st))
	c := exec.Command("sleep", "600")
	c.ExtraFiles = []*os.File{f}
	require.NoError(t, c.Start())
	t.Cleanup(func() { _ = c.Process.Kill(); _ = c.Wait() })
	p := Watch(uint32(c.Process.Pid))
	require.NotNil(t, p)
	t.Cleanup(p.Close)
	return c, p, File{Ino: st.Ino}
}

func TestHolds(t *testing.T) {
	c, p, f := sleeper(t, os.O_WRONLY)
	holds, known := p.Holds(f)
	require.True(t, known)
	require.True(t, holds)
	f.Device = "0:0"
	holds, known = p.Holds(f)
	require.True(t, known)
	require.False(t, holds, "a file of another mount with the same inode number")
	require.NoError(t, c.Process.Kill())
	_ = c.Wait()
	f.Device = ""
	holds, known = p.Holds(f)
	require.True(t, known)
	require.False(t, holds)

	_, p, f = sleeper(t, os.O_RDONLY)
	holds, known = p.Holds(f)
	require.True(t, known)
	require.False(t, holds, "a reader does not hold the file")
}

func TestFate(t *testing.T) {
	for name, c := range map[string]struct {
		end  func(*exec.Cmd)
		want Fate
	}{
		"alive":  {func(*exec.Cmd) {}, Alive},
		"killed": {func(c *exec.Cmd) { _ = c.Process.Kill() }, WasKilled},
	} {
		t.Run(name, func(t *testing.T) {
			cmd, p, _ := sleeper(t, os.O_WRONLY)
			c.end(cmd)
			if c.want == Alive {
				require.Equal(t, Alive, p.Fate())
				require.False(t, p.Ended())
				return
			}
			require.Eventually(t, p.Ended, testrun.Patience(), time.Millisecond)
			require.Equal(t, c.want, p.Fate(), "a zombie")
			_ = cmd.Wait()
			require.Contains(t, []Fate{c.want, Unseen}, p.Fate(), "reaped; Linux keeps the exit code since 6.15")
		})
	}
	ends := exec.Command("sh", "-c", "read x; exit 9")
	in := testrun.Must(ends.StdinPipe())(t)
	require.NoError(t, ends.Start())
	p := Watch(uint32(ends.Process.Pid))
	require.NotNil(t, p)
	defer p.Close()
	require.NoError(t, in.Close())
	require.Eventually(t, p.Ended, testrun.Patience(), time.Millisecond)
	require.Equal(t, EndedWell, p.Fate(), "a process that exits with an error is not killed")
	_ = ends.Wait()
	require.Contains(t, []Fate{EndedWell, Unseen}, p.Fate())
	require.Nil(t, Watch(0))
	require.Nil(t, Watch(1<<30))
}
