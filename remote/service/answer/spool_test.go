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
)

// TestAnswersWithoutAFile: where none can be made, or no more can be written to
// it, an answer still goes out, but is not kept.
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
			_, err := s.Write([]byte(strconv.Itoa(i) + " "))
			require.NoError(t, err)
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
		_, err := s.Write(make([]byte, 1000))
		require.NoError(t, err)
	}
	require.EqualError(t, s.Finish(), "gone")
}

// takingWriter takes nothing before it may.
type takingWriter struct {
	*httptest.ResponseRecorder
	may chan struct{}
}

func (w takingWriter) Write(p []byte) (int, error) {
	<-w.may
	return w.ResponseRecorder.Write(p)
}

// TestNobodyWaitsForASlowClient: where the disk is full, the others learn that the answer is not
// kept before its client takes any of it.
func TestNobodyWaitsForASlowClient(t *testing.T) {
	w := takingWriter{httptest.NewRecorder(), make(chan struct{})}
	s := NewSpool(w, "", 10)
	defer s.Discard()
	s.create = func() (*os.File, error) { return os.OpenFile("/dev/full", os.O_RDWR, 0) }
	s.OnDirect = func() { close(w.may) }
	_, err := s.Write([]byte("some more than ten bytes"))
	require.NoError(t, err)
	require.NoError(t, s.Finish())
	require.Equal(t, "some more than ten bytes", w.Body.String())
}
