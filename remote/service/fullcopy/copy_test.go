package fullcopy_test

import (
	"context"
	"crypto/sha256"
	"errors"
	"fmt"
	"log/slog"
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/google/uuid"
	"github.com/stretchr/testify/require"

	"paperfs/remote"
	"paperfs/remote/service"
	"paperfs/remote/service/admin"
	"paperfs/remote/service/datadir"
	"paperfs/remote/service/engine"
	"paperfs/remote/service/fullcopy"
	"paperfs/remote/service/kit/enginetest"
	"paperfs/remote/service/kit/generate"
	"paperfs/remote/service/kit/servicetest"
	"paperfs/remote/service/kit/storetest"
	"paperfs/remote/service/sqlitestore"
	"paperfs/remote/service/store"
	"paperfs/remote/testrun"
)

// served is a data directory with records of every kind, whose service has ended.
func served(t *testing.T) fullcopy.Place {
	data := filepath.Join(t.TempDir(), "data")
	f := servicetest.StartIn(t, data)
	a := f.Admin()
	f.Generate(generate.Spec{Papers: 20, Categories: 5, Depth: 3, Seed: 1, Pages: 2, Media: 8, Awkward: true})
	file := testrun.Must(os.Open("../testdata/import.xml"))(t)
	defer file.Close()
	testrun.Must(a.Import(file, "default"))(t)
	require.NoError(t, a.AddTenant(admin.TenantSettings{Name: "acme", Hosts: []string{"acme.example"}}))
	var hook int64 // the last one is gone
	for range 2 {
		w := testrun.Must(a.AddWebhook("acme", "https://receiver.example/hook", []string{"processed"}, false))(t)
		hook = w.ID
	}
	require.NoError(t, a.RemoveWebhook("acme", hook))
	f.Stop()
	fill(t, data)
	return fullcopy.Place{Data: data}
}

// fill adds contents of several sizes, and rare kinds of records.
func fill(t *testing.T, data string) {
	db := existing(t, data)
	files := testrun.Must(datadir.OpenContents(t.Context(), data, db))(t)
	key := func(size int) string { return storetest.WriteContent(t, files, storetest.Bytes(uint64(size), size)) }
	require.NoError(t, db.Write(t.Context(), store.AllTenants, func(tx store.Writer) error {
		var all error
		note := func(_ int64, err error) { all = errors.Join(all, err) }
		for _, size := range []int{100_000, 9 << 20} {
			note(tx.AddFile(1, store.File{Name: fmt.Sprint("large", size), Size: int64(size), SHA256: sha256.Sum256(storetest.Bytes(uint64(size), size)), Content: key(size)}))
		}
		note(tx.AddFile(1, store.File{Name: "empty", Small: []byte{}, SHA256: sha256.Sum256(nil)}))
		ended, err := tx.AddFile(1, store.File{Name: "ended", Size: 1, SHA256: sha256.Sum256([]byte("x")), Small: []byte("x")})
		note(ended, err)
		note(0, tx.DeleteFile(ended, 0, store.By{At: time.Now(), Account: "a"}))
		replaced, err := tx.AddFile(1, store.File{Name: "replaced", Small: []byte{}, SHA256: sha256.Sum256(nil)})
		note(replaced, err)
		note(tx.SetContent(replaced, store.File{Size: 60_000, SHA256: sha256.Sum256(storetest.Bytes(60_000, 60_000)), Content: key(60_000)}, store.By{At: time.Now()}))
		note(tx.SetContent(replaced, store.File{Small: []byte{}, SHA256: sha256.Sum256(nil)}, store.By{At: time.Now()}))
		paper, err := tx.AddNode(store.Node{Tenant: 1, Parent: 1, Kind: remote.PaperNode, Name: "made", URLName: "made"})
		note(0, err)
		gone, err := tx.AddNode(store.Node{Tenant: 1, Parent: 1, Kind: remote.PaperNode, Name: "gone", URLName: "gone"})
		note(0, err)
		note(0, tx.DeleteNode(gone))
		deleted, err := tx.AddNode(store.Node{Tenant: 1, Parent: 1, Kind: remote.PaperNode, Name: "deleted", URLName: "deleted"})
		note(0, err)
		note(0, tx.SetRendition(deleted, store.Rendition{PDF: key(50_000), PDFSize: 50_000, Images: key(40_000)}))
		note(0, tx.KeepNode(deleted, store.By{At: time.Now()}))
		note(0, tx.SetRendition(paper, store.Rendition{PDF: key(70_000), PDFSize: 70_000, Images: key(80_000), Wishes: `{"Language":"de"}`}))
		note(0, tx.ReplacePages(paper, []store.Page{{Number: 1, Text: "with a layer", Layer: []byte("layer")}, {Number: 2, Text: "no letters \x00\xff", Layer: nil}}))
		note(0, tx.AddWork(store.Work{Job: store.Job{GUID: uuid.NewString(), Tenant: 1, Paper: paper, Created: time.Unix(1, 0), Status: remote.JobPending}, PDF: key(90_000), PDFSize: 90_000}))
		note(0, tx.AddToken(store.Token{Token: uuid.NewString(), Node: paper, Expires: time.Now().Add(time.Hour)}, time.Now()))
		note(0, tx.SetSetting(paper, store.PublicSetting, "false"))
		note(0, tx.AddPDFTime(1, time.Now(), time.Minute))
		note(0, tx.AddHits(1, []store.Hits{{Paper: paper, Day: 20_000, Visits: 2, Counts: map[store.Hit]int64{{Page: 1}: 2, {Page: 2}: 1, {Page: 2, Target: "https://example.org/"}: 3}}}))
		return all
	}))
	require.NoError(t, db.Close())
}

func existing(t *testing.T, data string) *sqlitestore.Store {
	return testrun.Must(sqlitestore.OpenExisting(t.Context(), filepath.Join(data, datadir.DatabaseFile)))(t)
}

func shared(t *testing.T) fullcopy.Place {
	return fullcopy.Place{Database: enginetest.EmptyDatabase(t), Objects: enginetest.SharedObjectStore(t).AddressBeside(t)}
}

func check(t *testing.T, p fullcopy.Place) *admin.CheckReport {
	var r *admin.CheckReport
	if p.Database == "" {
		a, err := admin.Open(p.Data)
		require.NoError(t, err)
		r, err = a.Check(t.Context(), admin.CheckOptions{Deep: true})
		require.NoError(t, errors.Join(err, a.Close()))
		return r
	}
	records, contents, err := engine.Open(t.Context(), p.Database, p.Objects)
	require.NoError(t, err)
	r, err = admin.CheckApart(t.Context(), records, contents, admin.CheckOptions{Deep: true})
	require.NoError(t, errors.Join(err, contents.Close(), records.Close()))
	return r
}

// TestACopyToEnginesAndBackHasTheSameRecords checks that the copies have the same records in every table, and all
// content.
func TestACopyToEnginesAndBackHasTheSameRecords(t *testing.T) {
	t.Parallel()
	from, over, back := served(t), shared(t), fullcopy.Place{Data: filepath.Join(t.TempDir(), "back")}
	want := check(t, from)
	require.True(t, want.Sound(), "%+v", want)
	for _, step := range [][2]fullcopy.Place{{from, over}, {over, back}} {
		r := testrun.Must(fullcopy.Copy(t.Context(), step[0], step[1], fullcopy.Options{Verify: true}))(t)
		require.Empty(t, r.Content.Missing)
		require.Equal(t, want.Contents, r.Content.Copied)
		require.Greater(t, r.Records.Rows, int64(100))
		again := testrun.Must(fullcopy.Copy(t.Context(), step[0], step[1], fullcopy.Options{Verify: true}))(t)
		require.True(t, again.Records.There)
		require.Zero(t, again.Content.Copied)
		got := check(t, step[1])
		require.True(t, got.Sound(), "%+v", got)
		require.Equal(t, want.Contents, got.Contents)
	}
	one, two := existing(t, from.Data), existing(t, back.Data)
	defer one.Close()
	defer two.Close()
	require.True(t, testrun.Must(fullcopy.RecordsAreThere(t.Context(), one, two))(t))
	require.NoError(t, one.Export(t.Context(), func(tables store.Tables, _ store.Reader) error {
		for _, table := range store.AllTables {
			rows := 0
			columns := testrun.Must(tables.Columns(table))(t)
			for _, err := range tables.Rows(table, columns) {
				require.NoError(t, err)
				rows++
			}
			require.NotZero(t, rows, "no row of %s was copied: this test must have some", table)
		}
		return nil
	}))
	records := testrun.Must(engine.OpenRecords(t.Context(), over.Database))(t)
	defer records.Close()
	// An id is never given again.
	add := func(tx store.Writer) error {
		id := testrun.Must(tx.AddNode(store.Node{Tenant: 1, Parent: 1, Kind: remote.PaperNode, Name: "new", URLName: "new"}))(t)
		hook := testrun.Must(tx.AddWebhook(store.Webhook{Tenant: 1, URL: "https://a.example", Events: store.HookEvents}, time.Now()))(t)
		return one.Export(t.Context(), func(tables store.Tables, _ store.Reader) error {
			for table, given := range map[string]int64{"node": id, "webhook": hook} {
				require.Equal(t, testrun.Must(tables.Last(table))(t)+1, given, table)
			}
			return nil
		})
	}
	require.NoError(t, two.Write(t.Context(), 1, add))
	require.NoError(t, records.Write(t.Context(), 1, add))
	// A search finds what was copied.
	for _, s := range []store.Store{two, records} {
		require.NoError(t, s.Read(t.Context(), func(tx store.Reader) error {
			found, err := tx.PagesContaining(1, store.Phrase("with a layer"))
			require.Len(t, found, 1)
			return err
		}))
	}
}

// TestACopyThatIsCutShort checks that an interrupted copy has no records, cannot be served,
// and can be continued.
func TestACopyThatIsCutShort(t *testing.T) {
	t.Parallel()
	from := served(t)
	over := shared(t)
	for _, step := range [][2]fullcopy.Place{{from, over}, {over, {Data: filepath.Join(t.TempDir(), "back")}}} {
		for _, at := range []string{"contents", "records"} {
			ctx, cut := context.WithCancel(t.Context())
			_, err := fullcopy.Copy(ctx, step[0], step[1], fullcopy.Options{Verify: true, Progress: func(what string, done, _ int) {
				if what == at && done == 2 {
					cut()
				}
			}})
			if at == "records" && step[1].Database == "" && err == nil {
				break // a context does not end a change of SQLite
			}
			require.ErrorIs(t, err, context.Canceled)
			if step[1].Database != "" {
				_, err = engine.OpenRecords(t.Context(), step[1].Database)
				require.ErrorContains(t, err, "init")
			} else {
				refused(t, step[1].Data, step[0])
			}
		}
		r := testrun.Must(fullcopy.Copy(t.Context(), step[0], step[1], fullcopy.Options{Verify: true}))(t)
		require.GreaterOrEqual(t, r.Content.There, 2)
		require.True(t, check(t, step[1]).Sound())
	}
}

// refused checks that neither a service nor a command accepts an unfinished copy.
func refused(t *testing.T, data string, from fullcopy.Place) {
	t.Helper()
	_, one := admin.Open(data)
	_, two := service.Open(service.Options{Data: data, Log: slog.New(slog.DiscardHandler)})
	for _, err := range []error{one, two} {
		require.ErrorContains(t, err, "an unfinished copy of "+from.String())
		require.ErrorContains(t, err, "admin copy again")
	}
}

// TestAnEmptyCopyIsNotServed checks that a copy that was interrupted before any content
// arrived is not set up as a new directory.
func TestAnEmptyCopyIsNotServed(t *testing.T) {
	t.Parallel()
	from, over, back := served(t), shared(t), fullcopy.Place{Data: filepath.Join(t.TempDir(), "back")}
	testrun.Must(fullcopy.Copy(t.Context(), from, over, fullcopy.Options{}))(t)
	ctx, cut := context.WithCancel(t.Context())
	_, err := fullcopy.Copy(ctx, over, back, fullcopy.Options{Progress: func(string, int, int) { cut() }})
	require.ErrorIs(t, err, context.Canceled)
	require.NoError(t, os.RemoveAll(filepath.Join(back.Data, datadir.ContentDir)))
	refused(t, back.Data, over)
	_, err = os.Stat(filepath.Join(back.Data, datadir.ClientEnvFile))
	require.ErrorIs(t, err, os.ErrNotExist, "no data was set up")
	require.NoError(t, os.Remove(filepath.Join(back.Data, datadir.DatabaseFile)))
	refused(t, back.Data, over)
	testrun.Must(fullcopy.Copy(t.Context(), over, back, fullcopy.Options{Verify: true}))(t)
	require.True(t, check(t, back).Sound())
	whole := testrun.Must(service.Open(service.Options{Data: back.Data, Log: slog.New(slog.DiscardHandler)}))(t)
	require.NoError(t, whole.Close())
}

// TestOtherDataIsNoTarget checks that a target with other data is refused and stays unchanged.
func TestOtherDataIsNoTarget(t *testing.T) {
	t.Parallel()
	from := served(t)
	over := shared(t)
	testrun.Must(engine.Init(t.Context(), over.Database))(t)
	_, err := fullcopy.Copy(t.Context(), from, over, fullcopy.Options{})
	require.ErrorIs(t, err, fullcopy.ErrOtherRecords)
	names, _ := enginetest.SharedObjectStore(t).Objects(t, over.Objects)
	require.Empty(t, names)
	other := fullcopy.Place{Data: filepath.Join(t.TempDir(), "other")}
	servicetest.StartIn(t, other.Data).Stop()
	_, err = fullcopy.Copy(t.Context(), over, other, fullcopy.Options{})
	require.ErrorIs(t, err, fullcopy.ErrOtherRecords)
	require.Equal(t, 0, check(t, other).Contents)
}

// TestServedDataIsNoSource checks that a directory in use is refused as a source, because its
// changes would be lost.
func TestServedDataIsNoSource(t *testing.T) {
	t.Parallel()
	data := filepath.Join(t.TempDir(), "data")
	servicetest.StartIn(t, data)
	_, err := fullcopy.Copy(t.Context(), fullcopy.Place{Data: data}, shared(t), fullcopy.Options{})
	var held *datadir.HeldError
	require.ErrorAs(t, err, &held)
}

// TestAllTablesAreCopied checks that every table of an engine is either copied or listed as
// the engine's own.
func TestAllTablesAreCopied(t *testing.T) {
	t.Parallel()
	over := shared(t)
	require.NoError(t, engine.Migrate(t.Context(), over.Database))
	records := testrun.Must(engine.OpenEmpty(t.Context(), over.Database))(t)
	defer records.Close()
	data := filepath.Join(t.TempDir(), "data")
	servicetest.StartIn(t, data).Stop()
	db := existing(t, data)
	defer db.Close()
	require.NoError(t, db.Export(t.Context(), func(ours store.Tables, _ store.Reader) error {
		return records.Export(t.Context(), func(theirs store.Tables, _ store.Reader) error {
			for _, table := range store.AllTables {
				a := testrun.Must(ours.Columns(table))(t)
				require.Equal(t, a, testrun.Must(theirs.Columns(table))(t), table)
			}
			return nil
		})
	}))
	own := []string{"content", "goose_db_version", "event", "pdf_turn", "request_slot", "run", "session", "webhook_event", "webhook_sender"} // short-lived, or specific to an engine
	for _, tables := range [][]string{tablesOf(t, over.Database), tablesIn(t, filepath.Join(data, datadir.DatabaseFile))} {
		require.Subset(t, append(own, store.AllTables...), tables)
	}
}
