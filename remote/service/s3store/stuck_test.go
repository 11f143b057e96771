package s3store

import (
	"fmt"
	"io"
	"net/http"
	"path"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/google/uuid"
	"github.com/stretchr/testify/require"

	"paperfs/remote/service/kit/enginetest"
	"paperfs/remote/service/kit/storetest"
	"paperfs/remote/service/sqlitestore"
	"paperfs/remote/service/store"
	"paperfs/remote/testrun"
)

// anHourLater makes the stuck contents due for another attempt.
func anHourLater(s *Store) {
	s.stuck.mu.Lock()
	defer s.stuck.mu.Unlock()
	for key := range s.stuck.until {
		s.stuck.until[key] = time.Now()
	}
}

// TestContentThatIsNotRemovedHoldsUpNothing lets the object store fail for the parts of one
// content, and reject those of another. All others are removed, and these two when the object store
// works again.
func TestContentThatIsNotRemovedHoldsUpNothing(t *testing.T) {
	t.Parallel()
	server := enginetest.SharedObjectStore(t)
	p := server.Proxy(t)
	address := server.AddressBesideVia(t, p.Host)
	place := testrun.Must(ParsePlace(address))(t)
	s := testrun.Must(newStore(place, records(t), 2, standstill))(t)
	t.Cleanup(func() { require.NoError(t, s.Close()) })
	s.ages = ages{}
	fails, refused := storetest.WriteContent(t, s, []byte("x")), storetest.WriteContent(t, s, []byte("x"))
	for range 20 {
		storetest.WriteContent(t, s, []byte("x"))
	}
	p.Set(func(w http.ResponseWriter, q *http.Request, forward http.Handler) {
		switch of := q.URL.Query().Get("prefix"); {
		case strings.HasSuffix(of, fails):
			enginetest.Status(w, http.StatusInternalServerError, "InternalError")
		case strings.HasSuffix(of, refused):
			enginetest.Status(w, http.StatusForbidden, "AccessDenied")
		default:
			forward.ServeHTTP(w, q)
		}
	})
	removed, err := s.Clean(t.Context())
	require.ErrorContains(t, err, "2 of 22 contents could not be removed")
	require.Equal(t, 20, removed)
	require.Equal(t, 2, s.Stuck())
	require.Zero(t, clean(t, s), "the two contents wait, and are reported once")
	p.Set(nil)
	anHourLater(s)
	require.Equal(t, 2, clean(t, s))
	require.Zero(t, s.Stuck())
	names, _ := server.Objects(t, address)
	require.Empty(t, names)
}

// TestManyContentsThatAreNotRemoved uses as many such contents as one request removes, and more than are kept in mind,
// older than all others.
func TestManyContentsThatAreNotRemoved(t *testing.T) {
	t.Parallel()
	for _, many := range []int{batch, mostStuck + batch + 1} {
		server := enginetest.SharedObjectStore(t)
		p := server.Proxy(t)
		r := records(t)
		s := at(t, server.AddressBesideVia(t, p.Host), r)
		s.ages = ages{dropped: 0, intended: time.Hour}
		bad := map[string]bool{}
		for _, key := range dropMany(t, r, many) {
			bad[key] = true
		}
		dropMany(t, r, 5)
		p.Set(func(w http.ResponseWriter, q *http.Request, _ http.Handler) {
			body, _ := io.ReadAll(q.Body)
			deleted(w, body, func(key string) string {
				if bad[key] {
					return "SlowDown"
				}
				return ""
			})
		})
		removed, err := s.Clean(t.Context())
		require.ErrorContains(t, err, fmt.Sprintf("%d of %d contents could not be removed, for example ", many, many+5))
		require.ErrorContains(t, err, "a test says so")
		require.Equal(t, 5, removed)
		require.Equal(t, min(many, mostStuck), s.Stuck())
		p.Set(nil)
		if many == batch {
			require.Zero(t, clean(t, s))
			anHourLater(s)
			require.Equal(t, many, clean(t, s))
		}
	}
}

// dropMany drops new contents.
func dropMany(t *testing.T, r *sqlitestore.Store, n int) (keys []string) {
	for range n {
		keys = append(keys, uuid.NewString())
	}
	drop(t, r, keys)
	return keys
}

// TestStuckContentsAreBounded checks that only a limited number are remembered.
func TestStuckContentsAreBounded(t *testing.T) {
	t.Parallel()
	var s stuck
	now := time.Now()
	for i := range mostStuck {
		s.add(map[string]error{fmt.Sprint(i): nil}, now.Add(time.Hour))
	}
	s.add(map[string]error{"one more": nil}, now.Add(time.Hour))
	require.Equal(t, mostStuck, s.count(now))
	left := []store.Leftover{{Key: "0"}, {Key: "one more"}}
	require.Equal(t, left[1:], s.without(left, now))
	require.Equal(t, left, s.without(left, now.Add(time.Hour)))
	require.Zero(t, s.count(now.Add(time.Hour)))
}

var asked = regexp.MustCompile(`<Key>(.*?)</Key>`)

// deleted answers a request that removes objects; fails returns the error code for an object that
// is not removed.
func deleted(w io.Writer, request []byte, fails func(key string) string) {
	_, _ = io.WriteString(w, `<?xml version="1.0"?><DeleteResult>`)
	for _, name := range asked.FindAllStringSubmatch(string(request), -1) {
		if code := fails(path.Base(name[1])); code != "" {
			_, _ = fmt.Fprintf(w, `<Error><Key>%s</Key><Code>%s</Code><Message>a test says so</Message></Error>`, name[1], code)
			continue
		}
		_, _ = fmt.Fprintf(w, `<Deleted><Key>%s</Key></Deleted>`, name[1])
	}
	_, _ = io.WriteString(w, `</DeleteResult>`)
}

// TestOneObjectForWhichAllAreRefused checks that an object for which the whole request is refused
// does not block the others of the request.
func TestOneObjectForWhichAllAreRefused(t *testing.T) {
	t.Parallel()
	server := enginetest.SharedObjectStore(t)
	p := server.Proxy(t)
	r := records(t)
	s := at(t, server.AddressBesideVia(t, p.Host), r)
	s.ages = ages{dropped: 0, intended: time.Hour}
	keys := dropMany(t, r, 8)
	p.Set(func(w http.ResponseWriter, q *http.Request, forward http.Handler) {
		if !q.URL.Query().Has("delete") {
			forward.ServeHTTP(w, q)
			return
		}
		body, _ := io.ReadAll(q.Body)
		if strings.Contains(string(body), keys[3]) {
			enginetest.Status(w, http.StatusServiceUnavailable, "SlowDown")
			return
		}
		deleted(w, body, func(string) string { return "" })
	})
	removed, err := s.Clean(t.Context())
	require.ErrorContains(t, err, "1 of 8 contents could not be removed, for example "+keys[3])
	require.ErrorIs(t, err, store.ErrAway)
	require.Equal(t, 7, removed)
	require.Equal(t, 1, s.Stuck())
}

// TestPartsThatAreRefusedForMany checks that many refusals end a round early, and that the next
// round continues after them, so that everything that can be removed is removed.
func TestPartsThatAreRefusedForMany(t *testing.T) {
	t.Parallel()
	server := enginetest.SharedObjectStore(t)
	p := server.Proxy(t)
	r := records(t)
	s := at(t, server.AddressBesideVia(t, p.Host), r)
	s.ages = ages{dropped: 0, intended: 0}
	s.mostFailures = 2
	bad := map[string]bool{}
	for range 6 {
		key := uuid.NewString()
		bad[key] = true
		require.NoError(t, r.Intend(t.Context(), key))
	}
	left, err := r.Leftovers(t.Context(), 0, 0, store.Leftover{}, 10) // they are given up first
	require.NoError(t, err)
	require.Len(t, left, 6)
	require.Eventually(t, func() bool { return time.Now().UnixMilli() > left[5].Since.UnixMilli() }, testrun.Patience(), time.Millisecond, "who is given up later comes later")
	for range 3 {
		require.NoError(t, r.Intend(t.Context(), uuid.NewString()))
	}
	p.Set(func(w http.ResponseWriter, q *http.Request, forward http.Handler) {
		if bad[path.Base(q.URL.Query().Get("prefix"))] {
			enginetest.Status(w, http.StatusServiceUnavailable, "SlowDown")
			return
		}
		forward.ServeHTTP(w, q)
	})
	p.Seen()
	removed, err := s.Clean(t.Context())
	require.ErrorContains(t, err, "2 of 2 contents could not be removed (others wait for the next round, because too many requests failed), for example ")
	require.Zero(t, removed)
	require.Equal(t, 2, s.Stuck())
	require.Less(t, len(p.Seen()), 8, "the janitor must not send one request per content")
	for range 3 {
		more, _ := s.Clean(t.Context())
		removed += more
	}
	require.Equal(t, 3, removed)
	require.Equal(t, len(bad), s.Stuck())
	p.Set(nil)
	anHourLater(s)
	require.Equal(t, len(bad), clean(t, s))
}
