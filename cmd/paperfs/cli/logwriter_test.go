package cli

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"

	"paperfs/remote/testrun"
)

// unread is a file whose writes wait for a reader.
type unread struct {
	bytes.Buffer
	read chan struct{}
}

func (u *unread) Write(text []byte) (int, error) {
	<-u.read
	return u.Buffer.Write(text)
}

func newUnread() (*LogWriter, *unread) {
	to := &unread{read: make(chan struct{})}
	return NewLogWriter(to, func(to io.Writer, texts int) { fmt.Fprintf(to, "(%d dropped)\n", texts) }), to
}

// TestNothingReadsTheLog checks that only the first write waits, and only for a while. The writer
// later writes the texts within the limit in order, and the number of dropped texts.
func TestNothingReadsTheLog(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		w, to := newUnread()
		began := time.Now()
		fmt.Fprint(w, "one\n")
		require.Equal(t, patience, time.Since(began))
		fmt.Fprint(w, "two\n")
		big := strings.Repeat("x", limit-len("two\n"))
		fmt.Fprint(w, big)
		fmt.Fprint(w, "three\n")
		fmt.Fprint(w, "four\n")
		require.Equal(t, patience, time.Since(began))
		close(to.read)
		synctest.Wait()
		require.Equal(t, "one\ntwo\n"+big+"(2 dropped)\n", to.String())
		to.Reset()
		fmt.Fprint(w, "five\n")
		require.Equal(t, "five\n", to.String(), "Write waits again")
	})
}

// TestTextsDroppedInBetween checks that the number of dropped texts stands where they are missing.
func TestTextsDroppedInBetween(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		w, to := newUnread()
		big := strings.Repeat("x", limit)
		for _, text := range []string{"one\n", big, "two\n"} {
			fmt.Fprint(w, text)
		}
		to.read <- struct{}{}
		synctest.Wait()
		fmt.Fprint(w, "three\n")
		close(to.read)
		synctest.Wait()
		require.Equal(t, "one\n"+big+"(1 dropped)\nthree\n", to.String())
	})
}

// TestAWriteThatFails checks that the caller gets the error, and that the next write is attempted.
func TestAWriteThatFails(t *testing.T) {
	broken := errors.New("broken")
	w := NewLogWriter(writerFunc(func(text []byte) (int, error) {
		if string(text) == "bad" {
			return 0, broken
		}
		return len(text), nil
	}), nil)
	_, err := w.Write([]byte("bad"))
	require.ErrorIs(t, err, broken)
	require.Equal(t, 4, testrun.Must(w.Write([]byte("good")))(t))
}

type writerFunc func([]byte) (int, error)

func (f writerFunc) Write(text []byte) (int, error) { return f(text) }
