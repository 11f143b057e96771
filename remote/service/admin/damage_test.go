package admin_test

import (
	"crypto/sha256"
	"errors"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"
	"github.com/stretchr/testify/require"

	"paperfs/remote"
	"paperfs/remote/service/admin"
	"paperfs/remote/service/engine"
	"paperfs/remote/service/kit/enginetest"
	"paperfs/remote/service/kit/storetest"
	"paperfs/remote/service/store"
	"paperfs/remote/testrun"
)

// TestDamageByHand checks that each kind of damage to a database and a bucket is reported once.
func TestDamageByHand(t *testing.T) {
	database, server := enginetest.EmptyDatabase(t), enginetest.SharedObjectStore(t)
	objects := server.Address(t)
	testrun.Must(engine.Init(t.Context(), database))(t)
	records, contents := testrun.Must2(engine.Open(t.Context(), database, objects))(t)
	t.Cleanup(func() { require.NoError(t, errors.Join(contents.Close(), records.Close())) })
	check := func(deep bool) *admin.CheckReport {
		t.Helper()
		r := testrun.Must(admin.CheckApart(t.Context(), records, contents, admin.CheckOptions{Deep: deep}))(t)
		return r
	}
	content := storetest.Bytes(1, 100_000)
	sum := sha256.Sum256(content)
	keys := map[string]string{}
	add := func(name string) string {
		keys[name] = storetest.WriteContent(t, contents, content)
		return keys[name]
	}
	images := []store.Page{{Number: 1, Images: []store.Image{{Type: "Normal", Start: 0, Bytes: 60_000}, {Type: "Thumb", Start: 60_000, Bytes: 40_000}}}, {Number: 2}}
	require.NoError(t, records.Write(t.Context(), store.AllTenants, func(tx store.Writer) error {
		for _, name := range []string{"whole", "deleted", "cut", "changed", "no row"} {
			_, err := tx.AddFile(1, store.File{Name: name, Size: int64(len(content)), SHA256: sum, Content: add(name)})
			require.NoError(t, errors.Join(err, tx.KeepContent(keys[name])))
		}
		for _, name := range []string{"small", "small gone"} {
			testrun.Must(tx.AddFile(1, store.File{Name: name, Size: 1, SHA256: sha256.Sum256([]byte("x")), Small: []byte("x")}))(t)
		}
		for _, name := range []string{"images gone", "images cut", "images unnamed", "PDF gone"} {
			paper := testrun.Must(tx.AddNode(store.Node{Tenant: 1, Parent: 1, Kind: remote.PaperNode, Name: name, URLName: strings.ReplaceAll(name, " ", "-")}))(t)
			r := store.Rendition{PDF: add(name + " PDF"), PDFSize: int64(len(content)), Images: add(name)}
			require.NoError(t, errors.Join(tx.SetRendition(paper, r), tx.ReplacePages(paper, slices.Clone(images)), tx.KeepContent(r.PDF), tx.KeepContent(r.Images)))
		}
		return nil
	}))
	storetest.WriteContent(t, contents, content) // is about to get a record
	r := check(true)
	require.True(t, r.Sound(), "%+v", r)
	require.Zero(t, r.Young, "content in the ledger does not count as young")

	name := func(key string) string { return key[:2] + "/" + key }
	stranger, young := uuid.NewString(), uuid.NewString()
	server.Put(t, objects, name(stranger), content, 48*time.Hour)
	server.Put(t, objects, name(young), content, 0)
	server.Put(t, objects, "notes.txt", content, 48*time.Hour) // does not belong to paperfs
	server.Remove(t, objects, name(keys["deleted"]))
	server.Remove(t, objects, name(keys["images gone"]))
	server.Remove(t, objects, name(keys["PDF gone PDF"]))
	server.Put(t, objects, name(keys["cut"]), content[:99_999], 0)
	server.Put(t, objects, name(keys["images cut"]), content[:99_999], 0)
	server.Put(t, objects, name(keys["changed"]), append([]byte{content[0] + 1}, content[1:]...), 0)
	c := testrun.Must(pgx.Connect(t.Context(), database))(t)
	defer c.Close(t.Context())
	for _, statement := range []string{
		`DELETE FROM media_file WHERE name = 'no row'`,
		`DELETE FROM media_content WHERE file = (SELECT id FROM media_file WHERE name = 'small gone')`,
		`UPDATE rendition SET images = '' WHERE images = '` + keys["images unnamed"] + `'`,
	} {
		testrun.Must(c.Exec(t.Context(), statement))(t)
	}

	r = check(false)
	missing := []string{"media file 2 (deleted)", "media file 7 (small gone)", "page images of paper 2", "PDF of paper 5"}
	wrong := []string{"media file 3 (cut): 99999 bytes, but its record says 100000", "page images of paper 3: 99999 bytes, but its records need 100000"}
	require.ElementsMatch(t, missing, r.Missing)
	require.ElementsMatch(t, wrong, r.Wrong)
	require.Equal(t, []string{stranger}, r.Orphans)
	require.Equal(t, 1, r.Young)
	require.ElementsMatch(t, []string{
		"tenant default has wrong totals: 500002 bytes of media and 4 papers are recorded",
		"content " + keys["no row"] + " is marked as kept, but no record names it",
		"content " + keys["images unnamed"] + " is marked as kept, but no record names it",
		"paper 4 has page images, but no content is stored for them: process its PDF again",
	}, r.Faults)
	deep := check(true)
	require.ElementsMatch(t, missing, deep.Missing)
	require.ElementsMatch(t, append(wrong, "media file 4 (changed): its SHA-256 does not match its record"), deep.Wrong)
	require.Equal(t, r.Orphans, deep.Orphans)
}
