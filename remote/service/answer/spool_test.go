package answer

import (
	"bytes"
	"errors"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strconv"
	"testing"

	"github.com/stretchr/testify/require"

	"paperfs/remote/testrun"
)

// TestAnswersWithoutAFile checks that an answer is sent but not cached if no file can be
// created or written.
func TestAnswersWithoutAFile(t *testing.T) {
	for name, create := range map[string]func() (*os.File, error){
		"no directory": func() (*os.File, error) { return namelessFile(filepath.Join(t.TempDir(), "missing")) },
		"no space":     func() (*os.File, error) { return os.OpenFile("/dev/full", os.O_RDWR, 0) },
		"":             func() (*os.File, error) { return namelessFile(t.TempDir()) },
	} {
		w := httptest.NewRecorder()
		s := NewSpool(w, "", 10)
		s.create = create
		var want bytes.Buffer
		for i := range 40 {
			want.WriteString(strconv.Itoa(i) + " ")
			testrun.Must(s.Write([]byte(strconv.Itoa(i) + " ")))(t)
		}
		require.NoError(t, s.Finish())
		require.Equal(t, want.String(), w.Body.String())
		file, size := s.Take()
		require.Equal(t, name == "", file != nil, name)
		if file != nil {
			require.EqualValues(t, want.Len(), size)
			file.Close()
		}
		s.Discard()
	}
}

type deadWriter struct{ http.ResponseWriter }

func (deadWriter) Write([]byte) (int, error) { return 0, errors.New("gone") }

func TestAnAnswerThatNobodyTakesEnds(t *testing.T) {
	s := NewSpool(deadWriter{httptest.NewRecorder()}, t.TempDir(), 10)
	defer s.Discard()
	for range 1000 {
		testrun.Must(s.Write(make([]byte, 1000)))(t)
	}
	require.EqualError(t, s.Finish(), "gone")
}

// takingWriter accepts nothing until it is allowed to.
type takingWriter struct {
	*httptest.ResponseRecorder
	may chan struct{}
}

func (w takingWriter) Write(p []byte) (int, error) {
	<-w.may
	return w.ResponseRecorder.Write(p)
}

// TestNobodyWaitsForASlowClient checks that an answer is generated completely before its
// client reads any of it, even if the disk is full.
func TestNobodyWaitsForASlowClient(t *testing.T) {
	w := takingWriter{httptest.NewRecorder(), make(chan struct{})}
	s := NewSpool(w, "", 10)
	defer s.Discard()
	s.create = func() (*os.File, error) { return os.OpenFile("/dev/full", os.O_RDWR, 0) }
	for _, part := range []string{"some more than ", "ten bytes"} {
		testrun.Must(s.Write([]byte(part)))(t)
	}
	close(w.may)
	require.NoError(t, s.Finish())
	require.Equal(t, "some more than ten bytes", w.Body.String())
}

// TestTheRoomOfAFullDisk checks that an answer that exceeds the room is aborted, and that a
// sent answer returns its room.
func TestTheRoomOfAFullDisk(t *testing.T) {
	room := &Room{Most: 100}
	full := func() *Spool {
		s := NewSpool(httptest.NewRecorder(), "", 10)
		s.create = func() (*os.File, error) { return os.OpenFile("/dev/full", os.O_RDWR, 0) }
		s.Room = room
		return s
	}
	one, two := full(), full()
	testrun.Must(one.Write(make([]byte, 60)))(t)
	_, err := two.Write(make([]byte, 60))
	require.ErrorIs(t, err, errNoRoom)
	two.Discard()
	require.NoError(t, one.Finish())
	one.Discard()
	three := full()
	testrun.Must(three.Write(make([]byte, 100)))(t)
	three.Discard()
	require.Zero(t, room.used.Load())
}
