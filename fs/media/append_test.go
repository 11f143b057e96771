package media_test

import (
	"testing"

	"github.com/stretchr/testify/require"
)

// TestAppendWithAMapping checks that a change through a mapping keeps its offset, although the
// program's descriptor appends.
func TestAppendWithAMapping(t *testing.T) {
	t.Parallel()
	m := newMount(t)
	for name, write := range map[string]string{"flushed": `m.flush()`, "closed": `pass`} {
		m.sh(`python3 -c '
import mmap, os
f = os.open("` + name + `", os.O_RDWR | os.O_CREAT | os.O_APPEND)
os.write(f, b"." * 8192)
m = mmap.mmap(f, 8192)
m[0:4], m[5000:5004] = b"head", b"tail"
` + write + `
os.write(f, b"end")
m.close(); os.close(f)'`)
		want := "head" + dots(4996) + "tail" + dots(8192-5004) + "end"
		require.Equal(t, sum(want), m.atService()[name], name)
	}
}

func dots(n int) string {
	b := make([]byte, n)
	for i := range b {
		b[i] = '.'
	}
	return string(b)
}

// TestAppendIsSetLater checks that the last fcntl decides whether a descriptor appends.
func TestAppendIsSetLater(t *testing.T) {
	t.Parallel()
	m := newMount(t)
	for _, access := range []string{"O_RDWR", "O_WRONLY"} {
		m.sh(`printf 0123456789 > a; python3 -c '
import fcntl, os
f = os.open("a", os.O_APPEND | os.` + access + `)
os.pwrite(f, b"+", 0)
fcntl.fcntl(f, fcntl.F_SETFL, 0)
os.pwrite(f, b"A", 0)
fcntl.fcntl(f, fcntl.F_SETFL, os.O_APPEND)
os.pwrite(f, b"-", 0)
os.close(f)
f = os.open("a", os.` + access + `)
os.pwrite(f, b"B", 1)
fcntl.fcntl(f, fcntl.F_SETFL, os.O_APPEND)
os.write(f, b"*")
fcntl.fcntl(f, fcntl.F_SETFL, 0)
os.pwrite(f, b"C", 2)
os.close(f)'`)
		require.Equal(t, map[string]string{"a": sum("ABC3456789+-*")}, m.atService(), access)
	}
}
