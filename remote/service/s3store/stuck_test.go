package s3store

import (
	"fmt"
	"io"
	"net/http"
	"path"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/uuid"
	"github.com/stretchr/testify/require"

	"paperfs/remote/service/s3store/s3test"
	"paperfs/remote/service/store/contenttest"
)

// anHourLater has what could not be removed be tried again.
func anHourLater(s *Store) {
	s.stuck.mu.Lock()
	defer s.stuck.mu.Unlock()
	for key := range s.stuck.until {
		s.stuck.until[key] = time.Now()
	}
}

// TestContentThatIsNotRemovedHoldsUpNothing: the object store fails for the parts of one,
// and refuses those of another. All others go, and these do when it does its work again.
func TestContentThatIsNotRemovedHoldsUpNothing(t *testing.T) {
	server := s3test.Shared(t)
	p := server.Proxy(t)
	address := server.AddressVia(t, p.Host)
	place, err := ParsePlace(address)
	require.NoError(t, err)
	s, err := newStore(place, records(t), 2, standstill)
	require.NoError(t, err)
	t.Cleanup(func() { require.NoError(t, s.Close()) })
	s.ages = ages{}
	fails, refused := contenttest.Write(t, s, []byte("x")), contenttest.Write(t, s, []byte("x"))
	for range 20 {
		contenttest.Write(t, s, []byte("x"))
	}
	p.Set(func(w http.ResponseWriter, q *http.Request, forward http.Handler) {
		switch of := q.URL.Query().Get("prefix"); {
		case strings.HasSuffix(of, fails):
			s3test.Status(w, http.StatusInternalServerError, "InternalError")
		case strings.HasSuffix(of, refused):
			s3test.Status(w, http.StatusForbidden, "AccessDenied")
		default:
			forward.ServeHTTP(w, q)
		}
	})
	removed, err := s.Clean(t.Context())
	require.ErrorContains(t, err, "2 of 22 contents stay")
	require.Equal(t, 20, removed)
	require.Equal(t, 2, s.Stuck())
	require.Zero(t, clean(t, s), "they wait, and say so once")
	p.Set(nil)
	anHourLater(s)
	require.Equal(t, 2, clean(t, s))
	require.Zero(t, s.Stuck())
	names, _ := server.Objects(t, address)
	require.Empty(t, names)
}

// TestManyContentsThatAreNotRemoved are as many as one request takes, and older than all
// others.
func TestManyContentsThatAreNotRemoved(t *testing.T) {
	server := s3test.Shared(t)
	p := server.Proxy(t)
	r := records(t)
	s := at(t, server.AddressVia(t, p.Host), r)
	s.ages = ages{dropped: 0, intended: time.Hour}
	keys := func(n int) (keys []string) {
		for range n {
			keys = append(keys, uuid.NewString())
		}
		drop(t, r, keys)
		return keys
	}
	bad, good := keys(batch), keys(5)
	asked := regexp.MustCompile(`<Key>(.*?)</Key>`)
	p.Set(func(w http.ResponseWriter, q *http.Request, _ http.Handler) {
		body, _ := io.ReadAll(q.Body)
		_, _ = io.WriteString(w, `<?xml version="1.0"?><DeleteResult>`)
		for _, name := range asked.FindAllStringSubmatch(string(body), -1) {
			answer := `<Deleted><Key>%s</Key></Deleted>`
			if slices.Contains(bad, path.Base(name[1])) {
				answer = `<Error><Key>%s</Key><Code>AccessDenied</Code><Message>it is locked</Message></Error>`
			}
			_, _ = fmt.Fprintf(w, answer, name[1])
		}
		_, _ = io.WriteString(w, `</DeleteResult>`)
	})
	removed, err := s.Clean(t.Context())
	require.ErrorContains(t, err, "contents stay")
	require.ErrorContains(t, err, "it is locked")
	require.Equal(t, len(good), removed)
	p.Set(nil)
	require.Zero(t, clean(t, s))
	anHourLater(s)
	require.Equal(t, batch, clean(t, s))
}

// TestStuckContentsAreBounded: past that nothing more is kept in mind.
func TestStuckContentsAreBounded(t *testing.T) {
	var s stuck
	now := time.Now()
	for i := range mostStuck {
		require.True(t, s.add(map[string]error{fmt.Sprint(i): nil}, now.Add(time.Hour)))
	}
	require.False(t, s.add(map[string]error{"one more": nil}, now.Add(time.Hour)))
	require.Len(t, s.keys(now), mostStuck)
	require.Empty(t, s.keys(now.Add(time.Hour)))
	require.True(t, s.add(map[string]error{"one more": nil}, now))
}
