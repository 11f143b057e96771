package apitest

import (
	"database/sql"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"paperfs/remote"
	"paperfs/remote/service"
	"paperfs/remote/service/admin"
	"paperfs/remote/service/datadir"
	"paperfs/remote/service/sqlitestore"
	"paperfs/remote/service/store"
	"paperfs/remote/testrun"
)

const (
	ownDataID = "0b7b3c0e-0000-4000-8000-000000000001"
	newDataID = "0b7b3c0e-0000-4000-8000-000000000002"
	someKey   = "ab000000-0000-4000-8000-000000000000"
)

// everyRecords creates the database of a data directory, in the order of the table of ownership,
// and returns its id.
var everyRecords = []struct {
	name string
	make func(t *testing.T, file string) (id string)
}{
	{"other", func(t *testing.T, file string) string {
		execute(t, file, `CREATE TABLE something (x)`)
		return ""
	}},
	{"none", func(*testing.T, string) string { return "" }},
	{"begun", func(t *testing.T, file string) string {
		db := testrun.Must(sqlitestore.Open(t.Context(), file))(t)
		require.NoError(t, db.Close())
		return ""
	}},
	{"marked", func(t *testing.T, file string) string {
		db := testrun.Must(sqlitestore.Open(t.Context(), file))(t)
		require.NoError(t, db.Write(t.Context(), store.AllTenants, func(tx store.Writer) error { return tx.SetSecret("data", []byte(ownDataID)) }))
		require.NoError(t, db.Close())
		return ownDataID
	}},
	{"quiet", func(t *testing.T, file string) string { return setUp(t, file, "small") }},
	{"naming", func(t *testing.T, file string) string { return setUp(t, file, large) }},
}

func execute(t *testing.T, file, statement string) {
	db := testrun.Must(sql.Open("sqlite", file))(t)
	testrun.Must(db.Exec(statement))(t)
	require.NoError(t, db.Close())
}

// setUp creates a database with a media file.
func setUp(t *testing.T, file, content string) (id string) {
	s := quiet(t, filepath.Dir(file))
	s.upload("0", "file", content)
	s.close()
	text := testrun.Must(os.ReadFile(filepath.Join(s.data, "content", "id")))(t)
	require.NoError(t, os.RemoveAll(filepath.Join(s.data, "content")))
	return strings.TrimSpace(string(text))
}

// everyHolding creates content/, in the order of that table, in every form it can have; own is the
// id of the records.
var everyHolding = []struct {
	name string
	ways []func(t *testing.T, content, own string)
}{
	{"nothing", []func(t *testing.T, content, own string){
		func(*testing.T, string, string) {},
		func(t *testing.T, content, _ string) { require.NoError(t, os.Mkdir(content, 0o700)) },
		func(t *testing.T, content, _ string) { // on a new file system
			require.NoError(t, os.MkdirAll(filepath.Join(content, "lost+found"), 0o700))
		},
		func(t *testing.T, content, _ string) { // interrupted
			require.NoError(t, os.MkdirAll(filepath.Join(content, "incoming"), 0o700))
			require.NoError(t, os.WriteFile(filepath.Join(content, "incoming", "id.new"), []byte(newDataID), 0o600))
		},
	}},
	{"its id", []func(t *testing.T, content, own string){func(t *testing.T, content, own string) { hold(t, content, own, false) }}},
	{"another id", []func(t *testing.T, content, own string){func(t *testing.T, content, _ string) { hold(t, content, newDataID, false) }}},
	{"its content", []func(t *testing.T, content, own string){func(t *testing.T, content, own string) { hold(t, content, own, true) }}},
	{"other content", []func(t *testing.T, content, own string){func(t *testing.T, content, _ string) { hold(t, content, newDataID, true) }}},
	{"content without an id", []func(t *testing.T, content, own string){func(t *testing.T, content, _ string) { hold(t, content, "", true) }}},
}

func hold(t *testing.T, content, id string, key bool) {
	require.NoError(t, os.MkdirAll(filepath.Join(content, "ab"), 0o700))
	if id != "" {
		require.NoError(t, os.WriteFile(filepath.Join(content, "id"), []byte(id+"\n"), 0o600))
	}
	if key {
		require.NoError(t, os.WriteFile(filepath.Join(content, "ab", someKey), []byte("content"), 0o600))
	}
}

// tree returns everything below a directory but the lock. A refused start must leave it unchanged.
func tree(t *testing.T, dir string) map[string]string {
	all := map[string]string{}
	require.NoError(t, filepath.WalkDir(dir, func(path string, e fs.DirEntry, err error) error {
		if err != nil || e.Name() == "lock" {
			return err
		}
		info, err := e.Info()
		if err != nil || e.IsDir() {
			all[path] = "directory"
			return err
		}
		text, err := os.ReadFile(path)
		all[path] = fmt.Sprint(info.ModTime(), string(text))
		return err
	}))
	return all
}

// TestRecordsWithoutContent covers every cell of the table of ownership: a refused start changes
// nothing; any other start ends with the same id in both, taken from the one that had one.
func TestRecordsWithoutContent(t *testing.T) {
	t.Parallel()
	allInFiles(t)
	require.Len(t, everyRecords, datadir.AllRecords)
	require.Len(t, everyHolding, datadir.AllHoldings)
	for r, records := range everyRecords {
		made := t.TempDir()
		own := records.make(t, filepath.Join(made, "service.db"))
		for h, holding := range everyHolding {
			words, possible := datadir.Refusal(r, h)
			if !possible {
				continue
			}
			for way, hold := range holding.ways {
				if way > 0 && words == "" && records.name != "quiet" { // starts are slow
					continue
				}
				t.Run(fmt.Sprintf("%s, %s, %d", records.name, holding.name, way), func(t *testing.T) {
					data := filepath.Join(t.TempDir(), "data")
					require.NoError(t, os.CopyFS(data, os.DirFS(made)))
					hold(t, filepath.Join(data, "content"), own)
					if words != "" {
						isRefused(t, data, strings.ReplaceAll(words, "DATA", data))
						return
					}
					quiet(t, data).close()
					id := strings.TrimSpace(string(testrun.Must(os.ReadFile(filepath.Join(data, "content", "id")))(t)))
					switch {
					case own != "":
						require.Equal(t, own, id)
					case holding.name == "another id" || holding.name == "other content":
						require.Equal(t, newDataID, id)
					}
				})
			}
		}
	}
}

// isRefused requires that a service and a command refuse the data directory.
func isRefused(t *testing.T, data, words string) {
	t.Helper()
	before := tree(t, data)
	_, err := service.Open(service.Options{Data: data})
	var foreign *datadir.ForeignDataError
	require.ErrorAs(t, err, &foreign)
	require.Contains(t, foreign.Why, words)
	require.Equal(t, before, tree(t, data))
	administrator, err := admin.Open(data)
	if err == nil { // an administrator may need no content
		_, err = administrator.Check(t.Context(), admin.CheckOptions{Fix: true})
		require.NoError(t, administrator.Close())
	}
	require.ErrorAs(t, err, &foreign)
	require.Contains(t, foreign.Why, words)
	require.Equal(t, before, tree(t, data))
}

// TestAServiceGoesOnWithItsContent checks that content that was not mounted for a while is served
// as before, even after an attempt to start without it.
func TestAServiceGoesOnWithItsContent(t *testing.T) {
	t.Parallel()
	for name, away := range map[string]func(content string) error{
		"missing":   func(string) error { return nil },
		"unmounted": func(content string) error { return os.Mkdir(content, 0o700) },
	} {
		t.Run(name, func(t *testing.T) {
			s := inFiles(t)
			s.upload("0", "kept", large)
			s.close()
			content, aside := filepath.Join(s.data, "content"), filepath.Join(t.TempDir(), "content")
			require.NoError(t, os.Rename(content, aside))
			require.NoError(t, away(content))
			isRefused(t, s.data, content+" is missing or empty")
			require.NoError(t, os.RemoveAll(content))
			require.NoError(t, os.Rename(aside, content))
			s.open()
			require.Equal(t, large, s.get(s.must(remote.GetTree).attribute(t, "url")).body)
		})
	}
}

// TestAServiceGoesOnWithoutLostContent checks that the refusal says how to continue, and that a
// service whose records name no content simply starts.
func TestAServiceGoesOnWithoutLostContent(t *testing.T) {
	t.Parallel()
	s := inFiles(t)
	s.upload("0", "small", "small")
	s.close()
	content := filepath.Join(s.data, "content")
	require.NoError(t, os.RemoveAll(content))
	s.open()
	require.Equal(t, "small", s.get(s.must(remote.GetTree).attribute(t, "url")).body)
	s.upload("0", "small", large)
	s.close()
	require.NoError(t, os.RemoveAll(content))
	_, err := service.Open(s.options)
	way := regexp.MustCompile(`lost for good, make a file (\S+) with the line (\S+), and`).FindStringSubmatch(err.Error())
	require.Len(t, way, 3, err)
	require.NoError(t, os.MkdirAll(filepath.Dir(way[1]), 0o700))
	require.NoError(t, os.WriteFile(way[1], []byte(way[2]+"\n"), 0o600))
	s.open()
	require.Equal(t, 500, s.get(s.must(remote.GetTree).attribute(t, "url")).status)
}
