package virtual

import (
	"context"
	"strings"
	"syscall"
	"testing"

	"github.com/stretchr/testify/require"

	"paperfs/cache/failure"
	"paperfs/fs/errno"
	"paperfs/remote/testrun"
)

// held returns a value that is held in memory, and where it is.
func held(change ...func(v *Value)) (v *Value, at *string) {
	at = new(string)
	v = &Value{
		Env:   &Env{Tell: &errno.Teller{Log: failure.New(nil, nil)}},
		Load:  func(context.Context) (string, error) { return *at, nil },
		Store: func(_ context.Context, value string) error { *at = value; return nil },
	}
	for _, c := range change {
		c(v)
	}
	return v, at
}

// TestOneWriteIsOneValue checks which writes change a value, and that a newline at the end is no part
// of it.
func TestOneWriteIsOneValue(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		flags uint32
		data  string
		off   int64
		errno syscall.Errno
		value string
	}{
		"a line":           {syscall.O_WRONLY, "new\n", 0, 0, "new"},
		"no newline":       {syscall.O_WRONLY, "new", 0, 0, "new"},
		"two newlines":     {syscall.O_WRONLY, "new\n\n", 0, 0, "new\n"},
		"nothing":          {syscall.O_WRONLY, "", 0, 0, ""},
		"appended":         {syscall.O_WRONLY | syscall.O_APPEND, "new\n", 4, 0, "new"},
		"further on":       {syscall.O_WRONLY, "new\n", 4, syscall.EINVAL, "old"},
		"the longest":      {syscall.O_RDWR, strings.Repeat("x", MaxValue), 0, 0, strings.Repeat("x", MaxValue)},
		"longer":           {syscall.O_RDWR, strings.Repeat("x", MaxValue+1), 0, syscall.EINVAL, "old"},
		"open for reading": {syscall.O_RDONLY, "new\n", 0, syscall.EBADF, "old"},
	} {
		v, at := held()
		*at = "old"
		f := &writing{appends: c.flags&syscall.O_APPEND != 0}
		var n uint32
		var got syscall.Errno
		if c.flags&syscall.O_ACCMODE == syscall.O_RDONLY {
			n, got = v.Write(t.Context(), &content{}, []byte(c.data), c.off)
		} else {
			n, got = v.Write(t.Context(), f, []byte(c.data), c.off)
		}
		require.Equal(t, c.errno, got, name)
		require.Equal(t, c.value, *at, name)
		if got == 0 {
			require.EqualValues(t, len(c.data), n, name)
		}
	}
}

// TestAValueEndsWithOneNewline checks what a program reads, and that stat knows its length.
func TestAValueEndsWithOneNewline(t *testing.T) {
	t.Parallel()
	for value, want := range map[string]string{"": "", "v": "v\n", "v\n": "v\n\n"} {
		v, at := held()
		*at = value
		v.Known = func() (string, bool) { return *at, true }
		read := testrun.Must(v.load(t.Context()))(t)
		require.Equal(t, want, string(read))
		size, known := v.knownSize()
		require.True(t, known)
		require.Equal(t, len(want), size)
	}
	lines, at := held(func(v *Value) { v.Lines = true })
	*at = "a\nb"
	require.Equal(t, "a\nb", string(testrun.Must(lines.load(t.Context()))(t)))
}

// TestAValueThatIsOnlyReadIsNotOpenedForWriting checks that the kernel's own check is not the only one.
func TestAValueThatIsOnlyReadIsNotOpenedForWriting(t *testing.T) {
	t.Parallel()
	v, _ := held(func(v *Value) { v.Store = nil })
	_, _, errno := v.Open(t.Context(), syscall.O_WRONLY)
	require.Equal(t, syscall.EACCES, errno)
}

// TestRemovalsInAPaperNameItsCommand checks where a refused removal tells how a paper is deleted, once for each.
func TestRemovalsInAPaperNameItsCommand(t *testing.T) {
	t.Parallel()
	log := failure.New(nil, nil)
	tell := &errno.Teller{Log: log}
	for dir, want := range map[string]string{
		"papers/A/My sale.paper":     `rmdir 'papers/A/My sale.paper'`,
		"papers/A/x.paper/pages/001": `rmdir papers/A/x.paper`,
		"papers/A/x.paperback":       "",
		"media":                      "",
	} {
		for _, op := range []string{"unlink", "rmdir", "unlink"} {
			_, is := RefuseRemoval(tell, op, dir)
			require.Equal(t, want != "", is, dir)
		}
		last, _ := log.Last(strings.TrimSuffix(dir, "/pages/001"))
		require.True(t, strings.HasSuffix(last.Message, want), dir)
		_, is := RefuseRemoval(tell, "write", dir)
		require.False(t, is, dir)
	}
	require.EqualValues(t, 2, log.Count())
}
