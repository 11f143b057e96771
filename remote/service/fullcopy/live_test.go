package fullcopy_test

import (
	"context"
	"crypto/sha256"
	"errors"
	"fmt"
	"net/http"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"paperfs/remote/service/admin"
	"paperfs/remote/service/engine"
	"paperfs/remote/service/fullcopy"
	"paperfs/remote/service/kit/enginetest"
	"paperfs/remote/service/kit/storetest"
	"paperfs/remote/service/postgresstore"
	"paperfs/remote/service/s3store"
	"paperfs/remote/service/store"
	"paperfs/remote/testrun"
)

// node is a node that keeps changing the data while it is copied.
type node struct {
	t        *testing.T
	records  *postgresstore.Store
	contents *s3store.Store
	last     int64 // id of the current file
	count    int
}

// copied copies a data directory to a database and an object store, and returns them with a node
// that uses them.
func copied(t *testing.T) (fullcopy.Place, *node) {
	over := shared(t)
	_, err := fullcopy.Copy(t.Context(), served(t), over, fullcopy.Options{})
	require.NoError(t, err)
	n := &node{t: t}
	n.records, n.contents = testrun.Must2(engine.Open(t.Context(), over.Database, over.Objects))(t)
	t.Cleanup(func() { require.NoError(t, errors.Join(n.contents.Close(), n.records.Close())) })
	return over, n
}

// change replaces a file, and records which one it is in two settings, in one change.
func (n *node) change() {
	n.count++
	content := storetest.Bytes(uint64(n.count), 70_000)
	key := storetest.WriteContent(n.t, n.contents, content)
	err := n.records.Write(context.Background(), store.AllTenants, func(tx store.Writer) error {
		value := fmt.Sprint(n.count)
		id, err := tx.AddFile(1, store.File{Name: "live" + value, Size: int64(len(content)), SHA256: sha256.Sum256(content), Content: key})
		if err == nil && n.last != 0 {
			err = tx.DeleteFile(n.last, 0, store.By{At: time.Now(), Nothing: true})
		}
		n.last = id
		return errors.Join(err, tx.KeepContent(key), tx.SetSetting(1, "one", value), tx.SetSetting(1, "two", value))
	})
	if err != nil {
		n.t.Error(err)
	}
}

// atOneMoment checks that a directory has each change of a node completely or not at all.
func atOneMoment(t *testing.T, p fullcopy.Place) {
	r := check(t, p)
	require.True(t, r.Sound(), "%+v", r)
	db := existing(t, p.Data)
	defer db.Close()
	require.NoError(t, db.Read(t.Context(), func(tx store.Reader) error {
		one, _ := testrun.Must2(tx.InheritedSetting(1, "one"))(t)
		two, _, err := tx.InheritedSetting(1, "two")
		require.Equal(t, one, two)
		found := 0
		require.NoError(t, errors.Join(err, tx.Holdings(func(h store.Holding) error {
			if h.Size == 70_000 && h.SHA256 != nil {
				require.Contains(t, h.What, "(live"+one+")")
				found++
			}
			return nil
		})))
		require.Equal(t, 1, found)
		return nil
	}))
}

// TestACopyOfWhatNodesGoOnChanging checks that the copy is of one moment, with all of its
// content.
func TestACopyOfWhatNodesGoOnChanging(t *testing.T) {
	t.Parallel()
	over, n := copied(t)
	n.change()
	var going sync.WaitGroup
	over2 := fullcopy.Place{Data: filepath.Join(t.TempDir(), "back")}
	stop := make(chan struct{})
	going.Go(func() {
		for {
			select {
			case <-stop:
				return
			default:
				n.change()
			}
		}
	})
	r, err := fullcopy.Copy(t.Context(), over, over2, fullcopy.Options{Verify: true})
	close(stop)
	going.Wait()
	require.NoError(t, err)
	require.Empty(t, r.Content.Missing)
	require.Empty(t, r.Content.Wrong)
	atOneMoment(t, over2)
}

// TestACopyThatFailsHasNoRecordsBeforeTheirContent includes content that a node adds during
// the copy.
func TestACopyThatFailsHasNoRecordsBeforeTheirContent(t *testing.T) {
	t.Parallel()
	over, n := copied(t)
	server := enginetest.SharedObjectStore(t)
	p := server.Proxy(t)
	from := fullcopy.Place{Database: over.Database, Objects: strings.Replace(over.Objects, server.Host, p.Host, 1)}
	to := fullcopy.Place{Data: filepath.Join(t.TempDir(), "back")}
	_, err := fullcopy.Copy(t.Context(), from, to, fullcopy.Options{Progress: func(what string, done, all int) {
		switch {
		case what == "contents" && done == all:
			n.change()
		case what == "records" && done == 1:
			p.Set(func(w http.ResponseWriter, _ *http.Request, _ http.Handler) {
				enginetest.Status(w, http.StatusForbidden, "AccessDenied")
			})
		}
	}})
	if err == nil {
		atOneMoment(t, to)
		return
	}
	_, err = admin.Open(to.Data)
	require.Error(t, err, "an incomplete copy must not be served")
}

// TestContentReplacedDuringACopyIsNotMissing checks that replaced content does not count as missing,
// because the copy is of a later moment.
func TestContentReplacedDuringACopyIsNotMissing(t *testing.T) {
	t.Parallel()
	over, n := copied(t)
	n.change()
	require.NoError(t, n.records.Read(t.Context(), func(tx store.Reader) error {
		return tx.Holdings(func(h store.Holding) error {
			if h.Size == 70_000 && h.SHA256 != nil {
				remove(t, over, h.Key)
			}
			return nil
		})
	}))
	r, err := fullcopy.Copy(t.Context(), over, fullcopy.Place{Data: filepath.Join(t.TempDir(), "lacking")}, fullcopy.Options{})
	require.NoError(t, err)
	require.Len(t, r.Content.Missing, 1)
	to := fullcopy.Place{Data: filepath.Join(t.TempDir(), "back")}
	r, err = fullcopy.Copy(t.Context(), over, to, fullcopy.Options{Progress: func(what string, done, all int) {
		if what == "contents" && done == all {
			n.change()
		}
	}})
	require.NoError(t, err)
	require.Empty(t, r.Content.Missing)
	atOneMoment(t, to)
}

// remove removes an object without the node's knowledge.
func remove(t *testing.T, p fullcopy.Place, key string) {
	enginetest.SharedObjectStore(t).Remove(t, p.Objects, key[:2]+"/"+key)
}
