package apitest

import (
	"crypto/sha256"
	"database/sql"
	"encoding/base64"
	"fmt"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/jackc/pgx/v5"
	"github.com/stretchr/testify/require"

	"paperfs/remote"
	"paperfs/remote/service/store"
	"paperfs/remote/testrun"
)

func (s *server) upload(parent, name, content string) string {
	s.t.Helper()
	return s.must(remote.UploadFile, "parentID", parent, "name", name, "base64File", base64.StdEncoding.EncodeToString([]byte(content))).element(s.t, "fileid")
}

// contents counts all contents but those of earlier versions: files in the data directory, drafts
// included, and those in the database.
func (s *server) contents() int {
	if database := s.place().Database(); database != "" {
		return s.kept(database)
	}
	count := 0
	err := filepath.WalkDir(filepath.Join(s.data, "content"), func(_ string, d os.DirEntry, err error) error {
		if err == nil && d.Type().IsRegular() && d.Name() != "id" {
			count++
		}
		return err
	})
	require.NoError(s.t, err)
	db := testrun.Must(sql.Open("sqlite", "file:"+filepath.Join(s.data, "service.db")+"?mode=ro"))(s.t)
	defer db.Close()
	small := 0
	require.NoError(s.t, db.QueryRow(`SELECT (SELECT count(*) FROM media_content) - (SELECT count(*) FROM kept WHERE content <> '')`).Scan(&small))
	return count + small
}

// kept counts the contents of a PostgreSQL service: those in the ledger and in the database itself.
func (s *server) kept(database string) (count int) {
	db := testrun.Must(pgx.Connect(s.t.Context(), database))(s.t)
	defer db.Close(s.t.Context())
	require.NoError(s.t, db.QueryRow(s.t.Context(), `SELECT (SELECT count(*) FROM content WHERE state IN ('intended', 'kept')) + (SELECT count(*) FROM media_content)
		- (SELECT count(*) FROM kept WHERE content <> '')`).Scan(&count))
	return count
}

func (s *server) get(address string, header ...string) reply {
	s.t.Helper()
	req := testrun.Must(http.NewRequest(http.MethodGet, address, nil))(s.t)
	for i := 0; i < len(header); i += 2 {
		req.Header.Set(header[i], header[i+1])
	}
	return s.do(req)
}

func TestMediaTree(t *testing.T) {
	t.Parallel()
	s := start(t)
	require.Equal(t, "<message></message>", between(s.must(remote.CreateDirectory, "parentID", "0", "name", "Print data").body, "</code>\n", "\n<data>"))
	dir := s.must(remote.GetTree).attribute(t, "directoryid")
	deep := s.must(remote.CreateDirectory, "parentID", dir, "name", "2031").element(t, "directoryid")
	rake := s.upload(deep, "rake & hoe.jpg", strings.Repeat("x", 1025))
	index := s.upload(dir, "index.csv", "")
	logo := s.upload("0", "logo.svg", "<svg/>")
	file := func(id, name, size, exact, content string) string {
		sum := sha256.Sum256([]byte(content))
		return fmt.Sprintf(`<file fileid="%s" name="%s" size="%s" bytes="%s" sha256="%x" url="%s/media/%s/%s" />`, id, name, size, exact, sum,
			s.http.URL, id, strings.ReplaceAll(strings.ReplaceAll(name, " ", "%20"), "&amp;", "&amp;"))
	}
	want := `<directory directoryid="` + dir + `" name="Print data"><directory directoryid="` + deep + `" name="2031">` +
		file(rake, "rake &amp; hoe.jpg", "2", "1025", strings.Repeat("x", 1025)) + `</directory>` +
		file(index, "index.csv", "0", "0", "") + `</directory>` + file(logo, "logo.svg", "1", "6", "<svg/>")
	require.Equal(t, want, strings.ReplaceAll(s.must(remote.GetTree).data, "\n", ""))
	s.reopen()
	require.Equal(t, 3, s.contents())
}

func between(s, before, after string) string {
	_, s, _ = strings.Cut(s, before)
	s, _, _ = strings.Cut(s, after)
	return s
}

func TestOverwriteKeepsIDAndSpelling(t *testing.T) {
	t.Parallel()
	s := start(t)
	id := s.upload("0", "Straße.txt", "one")
	require.Equal(t, id, s.upload("0", "STRAßE.TXT", "two"))
	tree := s.must(remote.GetTree)
	require.Equal(t, "Straße.txt", tree.attribute(t, "name"))
	require.Equal(t, "two", s.get(tree.attribute(t, "url")).body)
	require.Equal(t, 1, s.contents(), "replaced content is still there")
	s.must(remote.DeleteFile, "fileID", id)
	require.Zero(t, s.contents())
	require.Equal(t, id, s.upload("0", "Straße.txt", "one"), "it was deleted just now")
}

func TestMediaNames(t *testing.T) {
	t.Parallel()
	s := start(t)
	dir := s.must(remote.CreateDirectory, "parentID", "0", "name", "Dir").element(t, "directoryid")
	s.upload("0", "File", "x")
	for _, name := range []string{"dir", "DIR", "file"} {
		s.fails(remote.Failure, remote.CreateDirectory, "parentID", "0", "name", name)
	}
	s.fails(remote.Failure, remote.UploadFile, "parentID", "0", "name", "dIr", "base64File", "")
	s.upload(dir, "Dir", "x") // another directory
	for _, name := range []string{"...", ".hidden", `"q" ]]> <&>`, strings.Repeat("é", 255), "a\u00a0b", "C:con"} {
		s.upload("0", name, "x")
		s.must(remote.CreateDirectory, "parentID", dir, "name", name)
	}
	before := s.must(remote.GetTree).data
	for _, name := range []string{"", ".", "..", " a", "a ", "\u00a0a", "a/b", `a\b`, "a\nb", "a\x00", "\xff", strings.Repeat("x", 256)} {
		s.fails(remote.Failure, remote.UploadFile, "parentID", "0", "name", name, "base64File", "")
		s.fails(remote.Failure, remote.CreateDirectory, "parentID", "0", "name", name)
	}
	for _, parent := range []string{"", "-1", "x", "999", "1.0"} {
		s.fails(remote.Failure, remote.UploadFile, "parentID", parent, "name", "a", "base64File", "")
		s.fails(remote.Failure, remote.CreateDirectory, "parentID", parent, "name", "a")
	}
	require.Equal(t, before, s.must(remote.GetTree).data)
	require.Equal(t, 8, s.contents(), "refused uploads leave nothing")
}

func TestMediaDeletes(t *testing.T) {
	t.Parallel()
	s := start(t)
	dir := s.must(remote.CreateDirectory, "parentID", "0", "name", "d").element(t, "directoryid")
	file := s.upload(dir, "f", "x")
	for _, id := range []string{"0", "", "x", "999", dir} {
		s.fails(remote.Failure, remote.DeleteDirectory, "directoryID", id) // the directory is not empty
	}
	for _, id := range []string{"0", "", "x", "999"} {
		s.fails(remote.Failure, remote.DeleteFile, "fileID", id)
	}
	below := s.must(remote.CreateDirectory, "parentID", dir, "name", "below").element(t, "directoryid")
	s.must(remote.DeleteFile, "fileID", file)
	s.fails(remote.Failure, remote.DeleteDirectory, "directoryID", dir)
	s.must(remote.DeleteDirectory, "directoryID", below)
	r := s.must(remote.DeleteDirectory, "directoryID", dir)
	require.False(t, r.has)
	require.Empty(t, r.words)
	require.False(t, s.must(remote.GetTree).has)
}

func TestMediaAddresses(t *testing.T) {
	t.Parallel()
	s := start(t)
	content := "<script>alert(1)</script>" + strings.Repeat("x", 1000)
	id := s.upload("0", "näme #1?.html", content)
	address := s.must(remote.GetTree).attribute(t, "url")
	r := s.get(address)
	require.Equal(t, content, r.body)
	require.Equal(t, "nosniff", r.header.Get("X-Content-Type-Options"))
	require.Equal(t, "sandbox", r.header.Get("Content-Security-Policy"))
	require.Contains(t, r.header.Get("Content-Type"), "text/html")
	film := s.upload("0", "film.webm", "x")
	require.Equal(t, "video/webm", s.get(strings.Split(address, "/media/")[0]+"/media/"+film+"/film.webm").header.Get("Content-Type"))
	etag := r.header.Get("Etag")
	require.Equal(t, fmt.Sprintf(`"%x"`, sha256.Sum256([]byte(content))), etag)
	require.Equal(t, http.StatusNotModified, s.get(address, "If-None-Match", etag).status)
	r = s.get(address, "Range", "bytes=8-12")
	require.Equal(t, http.StatusPartialContent, r.status)
	require.Equal(t, "alert", r.body)
	require.Equal(t, http.StatusRequestedRangeNotSatisfiable, s.get(address, "Range", "bytes=99999-").status)
	s.upload("0", "näme #1?.html", "new")
	require.Equal(t, "new", s.get(address, "If-None-Match", etag).body)

	req := testrun.Must(http.NewRequest(http.MethodPost, address, nil))(t)
	require.Equal(t, http.StatusMethodNotAllowed, s.do(req).status)
	for _, path := range []string{"/media/" + id + "/other", "/media/" + id, "/media/" + id + "/a/b"} {
		req := testrun.Must(http.NewRequest(http.MethodHead, s.http.URL+path, nil))(t)
		r := testrun.Must(http.DefaultTransport.RoundTrip(req))(t)
		require.NoError(t, r.Body.Close())
		require.Equal(t, http.StatusMovedPermanently, r.StatusCode)
		require.Equal(t, address, r.Header.Get("Location"))
		require.Equal(t, "new", s.get(s.http.URL+path).body)
		req.Method = http.MethodPost
		require.Equal(t, http.StatusMethodNotAllowed, s.do(req).status)
	}
	for _, path := range []string{"/media/999/x", "/media/x/x", "/media/-1/x"} {
		require.Equal(t, http.StatusNotFound, s.get(s.http.URL+path).status, path)
	}
	s.must(remote.DeleteFile, "fileID", id)
	require.Equal(t, http.StatusNotFound, s.get(address).status)
}

// TestContentOfAnySize overwrites a file with contents below and above the size that is stored in
// the record, before and after a restart.
func TestContentOfAnySize(t *testing.T) {
	t.Parallel()
	s := start(t)
	for i, size := range []int{0, 1, store.SmallContent, store.SmallContent + 1, 300_000, 10, 0, 70_000} {
		content := strings.Repeat(string(rune('a'+i)), size)
		s.upload("0", "f", content)
		for range 2 {
			address := s.must(remote.GetTree).attribute(t, "url")
			require.Equal(t, content, s.get(address).body)
			require.Equal(t, 1, s.contents())
			if size > 5 {
				part := s.get(address, "Range", "bytes=3-5")
				require.Equal(t, http.StatusPartialContent, part.status)
				require.Equal(t, content[3:6], part.body)
			}
			s.reopen()
		}
	}
	s.must(remote.DeleteFile, "fileID", s.must(remote.GetTree).attribute(t, "fileid"))
	require.Zero(t, s.contents())
}

// TestReadersSeeOneVersion reads a file during overwrites: each answer must be one complete
// version.
func TestReadersSeeOneVersion(t *testing.T) {
	t.Parallel()
	s := start(t)
	versions := [2]string{strings.Repeat("a", 200_000), strings.Repeat("b", 200_000)}
	s.upload("0", "f", versions[0])
	address := s.must(remote.GetTree).attribute(t, "url")
	done := make(chan struct{})
	go func() {
		defer close(done)
		for i := range 12 {
			s.upload("0", "f", versions[i%2])
		}
	}()
	for reading := true; reading; {
		select {
		case <-done:
			reading = false
		default:
		}
		r := s.get(address)
		require.Equal(t, http.StatusOK, r.status)
		require.True(t, r.body == versions[0] || r.body == versions[1], "a mixture of %d bytes", len(r.body))
	}
	require.Equal(t, 1, s.contents())
}
