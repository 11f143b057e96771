package apitest

import (
	"encoding/base64"
	"fmt"
	"io"
	"net/http"
	"strings"
	"sync"
	"sync/atomic"
	"testing"

	"github.com/stretchr/testify/require"

	"paperfs/remote"
	"paperfs/remote/service"
	"paperfs/remote/service/kit/pdftest"
	"paperfs/remote/testrun"
)

// uploadIf uploads to the top of the library.
func (s *server) uploadIf(version, name, content string) reply {
	s.t.Helper()
	return s.call(remote.UploadFile, "parentID", "0", "name", name, "base64File", base64.StdEncoding.EncodeToString([]byte(content)), "ifVersion", version)
}

// conflicts checks a refusal, and returns the version that it tells; "" if it says that nothing is
// there.
func (s *server) conflicts(r reply, id string) string {
	s.t.Helper()
	require.Equal(s.t, remote.VersionConflict, r.code, r.body)
	if id == "" {
		require.Equal(s.t, `<current />`, r.data)
		return ""
	}
	require.Equal(s.t, id, r.attribute(s.t, "id"))
	return r.attribute(s.t, "version")
}

func (s *server) succeeds(r reply) reply {
	s.t.Helper()
	require.Equal(s.t, remote.Success, r.code, r.body)
	return r
}

func TestUploadIfVersion(t *testing.T) {
	t.Parallel()
	for _, size := range []int{1, 100_000} {
		s := start(t)
		text := func(letter string) string { return strings.Repeat(letter, size) }
		first := s.succeeds(s.uploadIf("none", "a", text("1")))
		id, version := first.element(t, "fileid"), first.element(t, "version")
		require.Equal(t, version, s.versions(remote.GetTree, "version")["a"])
		require.Equal(t, s.versions(remote.GetTree, "url")["a"], first.element(t, "url"))
		require.Equal(t, first.data, s.succeeds(s.uploadIf("none", "A", text("1"))).data, "it stands")
		require.Equal(t, version, s.conflicts(s.uploadIf("none", "a", text("2")), id))
		require.Equal(t, version, s.conflicts(s.uploadIf("1", "a", text("2")), id))
		s.conflicts(s.uploadIf(version, "b", text("2")), "")
		second := s.succeeds(s.uploadIf(" "+version, "a", text("2")))
		require.Equal(t, id, second.element(t, "fileid"))
		require.Equal(t, second.data, s.succeeds(s.uploadIf(version, "a", text("2"))).data, "it stands")
		require.Equal(t, second.element(t, "version"), s.conflicts(s.uploadIf(version, "a", text("3")), id))
		again := s.succeeds(s.uploadIf(second.element(t, "version"), "a", text("2")))
		require.Equal(t, second.data, again.data, "the same content is no other version")
		require.Equal(t, remote.Failure, s.uploadIf("new", "a", "").code)
		require.Equal(t, "<fileid>"+id+"</fileid>", s.succeeds(s.uploadIf("", "a", text("3"))).data)
		s.must(remote.CreateDirectory, "parentID", "0", "name", "d")
		require.Equal(t, remote.Failure, s.uploadIf("none", "d", "").code)
		s.keeps(1)
	}
}

// TestOneOfManyUploadsHasItsVersion checks that ifVersion is judged within the change.
func TestOneOfManyUploadsHasItsVersion(t *testing.T) {
	t.Parallel()
	s := start(t)
	for _, size := range []int{1, 100_000} {
		version := "none"
		for round := range 3 {
			var won atomic.Pointer[reply]
			var all sync.WaitGroup
			for i := range 4 {
				all.Go(func() {
					r := s.uploadIf(version, fmt.Sprint("a", size), strings.Repeat(fmt.Sprint(round, i), size))
					if r.code == remote.Success && !won.CompareAndSwap(nil, &r) {
						t.Error("two won")
					} else if r.code != remote.Success && r.code != remote.VersionConflict {
						t.Error(r.body)
					}
				})
			}
			all.Wait()
			require.NotNil(t, won.Load())
			version = won.Load().element(t, "version")
		}
	}
}

// TestUploadsAreJudgedFirst checks that an upload is refused before it is received, if ifVersion
// comes before the content and the content cannot be what stands already.
func TestUploadsAreJudgedFirst(t *testing.T) {
	t.Parallel()
	s := start(t)
	paper := s.paper("1", "p")
	id := s.upload("0", "a", "1")
	refused := func(op *remote.Operation, parameters string) reply {
		from, to := io.Pipe()
		defer to.Close()
		go func() {
			_, _ = io.WriteString(to, s.credentials(op).Encode()+parameters+"&"+op.Bulk+"="+strings.Repeat("JVBERi0x", 100_000))
		}()
		req := testrun.Must(http.NewRequest(http.MethodPost, s.http.URL+op.Path(), from))(t)
		req.ContentLength = 100 << 20
		req.Header.Set("Content-Type", "application/x-www-form-urlencoded")
		return s.do(req)
	}
	s.conflicts(refused(remote.UploadFile, "&parentID=0&name=a&ifVersion=1"), id)
	s.conflicts(refused(remote.UploadFile, "&parentID=0&name=a&ifVersion=none"), id)
	s.conflicts(refused(remote.UploadFile, "&parentID=0&name=b&ifVersion=1"), "")
	s.conflicts(refused(remote.ProcessPDF, "&paperID="+paper+"&xmlOptions=&ifVersion=1"), paper)
	s.conflicts(refused(remote.ProcessPDF, "&paperID=999&xmlOptions=&ifVersion=1"), "")
	s.queue(paper, pdftest.Forever(), "")
	s.conflicts(refused(remote.ProcessPDF, "&paperID="+paper+"&xmlOptions=&ifVersion=1"), paper)
}

func TestDeleteIfVersion(t *testing.T) {
	t.Parallel()
	s := start(t)
	s.upload("0", "a", "1")
	s.must(remote.CreateDirectory, "parentID", "0", "name", "a directory")
	s.category("1", "a-category")
	s.paper("1", "a-paper")
	versions := s.versions(remote.GetAllPapers, "version")
	for name, version := range s.versions(remote.GetTree, "version") {
		versions[name] = version
	}
	for _, c := range []struct {
		op              *remote.Operation
		param, id, name string
		gone            remote.Code // of a client without a version
	}{
		{remote.DeleteFile, "fileID", "1", "a", remote.Failure},
		{remote.DeleteDirectory, "directoryID", "1", "a directory", remote.Failure},
		{remote.DeletePaper, "paperID", "2", "a-category", remote.PaperDoesNotExist},
		{remote.DeletePaper, "paperID", "3", "a-paper", remote.PaperDoesNotExist},
	} {
		for _, wrong := range []string{"none", "x"} {
			s.fails(remote.Failure, c.op, c.param, c.id, "ifVersion", wrong)
		}
		require.Equal(t, versions[c.name], s.conflicts(s.call(c.op, c.param, c.id, "ifVersion", "1"), c.id))
		for range 2 {
			require.Equal(t, "<version></version>", s.must(c.op, c.param, c.id, "ifVersion", versions[c.name]).data, c.name)
		}
		s.fails(c.gone, c.op, c.param, c.id)
	}
}

func TestMoveIfVersion(t *testing.T) {
	t.Parallel()
	s := start(t)
	to, paper := s.category("1", "c"), s.paper("1", "p")
	move := func(version, to string) reply {
		return s.call(remote.MovePaper, "sourcePaperID", paper, "destinationParentID", to, "ifVersion", version)
	}
	version := s.versions(remote.GetAllPapers, "version")["p"]
	require.Equal(t, version, s.conflicts(move("1", to), paper))
	moved := s.succeeds(move(version, to)).element(t, "version")
	require.Equal(t, moved, s.versions(remote.GetAllPapers, "version")["p"])
	require.Equal(t, moved, s.succeeds(move(version, to)).element(t, "version"), "it stands")
	s.conflicts(move(version, "1"), paper)
	require.False(t, s.succeeds(move("", "1")).has)
	s.must(remote.DeletePaper, "paperID", paper)
	s.conflicts(move(moved, "1"), "")
}

// preferring is call by a client that knows versions.
func (s *server) preferring(op *remote.Operation, pairs ...string) reply {
	s.t.Helper()
	form := s.credentials(op)
	for name, values := range params(pairs...) {
		form[name] = values
	}
	req := testrun.Must(http.NewRequest(http.MethodPost, s.http.URL+op.Path(), strings.NewReader(form.Encode())))(s.t)
	req.Header.Set("Content-Type", "application/x-www-form-urlencoded")
	req.Header.Set("Prefer", "unchanged=412, paperfs-version")
	return s.do(req)
}

func TestProcessPDFIfVersion(t *testing.T) {
	t.Parallel()
	s := start(t)
	paper := s.paper("1", "p")
	send := func(version, options string, pdf []byte) reply {
		return s.call(remote.ProcessPDF, "paperID", paper, "xmlOptions", options, "base64Pdf", base64.StdEncoding.EncodeToString(pdf), "ifVersion", version)
	}
	edition := func() string { return s.versions(remote.GetAllPapers, "edition")["p"] }
	none := edition()
	s.conflicts(send("1", "", pdftest.Text("Regen")), paper)
	first := s.succeeds(send(none, "", pdftest.Text("Regen")))
	require.Equal(t, first.element(t, "jobGuid"), s.succeeds(send(none, "", pdftest.Text("Regen"))).element(t, "jobGuid"), "it stands")
	status, _ := s.ended(first.element(t, "jobGuid"))
	require.Equal(t, remote.JobCompleted, status)
	now := edition()
	require.NotEqual(t, first.element(t, "version"), now)
	stands := s.succeeds(send(none, "", pdftest.Text("Regen")))
	require.Equal(t, []string{first.element(t, "jobGuid"), now}, []string{stands.element(t, "jobGuid"), stands.element(t, "version")})
	require.Equal(t, now, s.conflicts(send(none, "", pdftest.Text("Schnee")), paper))
	for _, version := range []string{now, ""} {
		again := s.preferring(remote.ProcessPDF, "paperID", paper, "xmlOptions", "", "base64Pdf", base64.StdEncoding.EncodeToString(pdftest.Text("Regen")), "ifVersion", version)
		require.Equal(t, []string{first.element(t, "jobGuid"), now}, []string{again.element(t, "jobGuid"), again.element(t, "version")}, "the paper has it already")
	}
	require.Equal(t, now, edition(), "no job has made pages again")
	require.NotContains(t, s.must(remote.GetDeleted).data, "<entry", "nothing is kept of it")
	status, _ = s.ended(s.must(remote.ReprocessPaper, "paperID", paper, "xmlOptions", "").element(t, "jobGuid"))
	require.Equal(t, remote.JobCompleted, status)
	again := s.preferring(remote.ProcessPDF, "paperID", paper, "xmlOptions", "", "base64Pdf", base64.StdEncoding.EncodeToString(pdftest.Text("Regen"))).element(t, "jobGuid")
	require.NotEqual(t, first.element(t, "jobGuid"), again, "another job has made the pages")
	s.ended(again)
	again = s.must(remote.ProcessPDF, "paperID", paper, "xmlOptions", "", "base64Pdf", base64.StdEncoding.EncodeToString(pdftest.Text("Regen"))).element(t, "jobGuid")
	s.ended(again)
	require.NotEqual(t, first.element(t, "jobGuid"), again, "a client that knows no versions")
	now = edition()
	s.conflicts(send(none, pdfOptions("<preserve-links>false</preserve-links>"), pdftest.Text("Regen")), paper)
	s.succeeds(send(now, "", pdftest.Forever()))
	require.Equal(t, remote.AlreadyBeingProcessed, send(edition(), "", pdftest.Text("Regen")).code)
	s.conflicts(s.call(remote.ProcessPDF, "paperID", "999", "xmlOptions", "", "base64Pdf", somePDF, "ifVersion", now), "")
}

// TestVersionsAreTold checks who is told the version of a change.
func TestVersionsAreTold(t *testing.T) {
	t.Parallel()
	for _, bare := range []bool{false, true} {
		s := start(t, func(o *service.Options) { o.NoExtended, o.StrictCodes = bare, true })
		require.Equal(t, !bare, strings.Contains(s.preferring(remote.UploadFile, "parentID", "0", "name", "a", "base64File", "").data, "<version>"))
		r := s.by(http.MethodGet, remote.UploadFile, "parentID", "0", "name", "a", "base64File", "AAAA", "ifVersion", "1")
		if bare {
			require.Equal(t, "<fileid>1</fileid>", s.succeeds(r).data)
		} else {
			s.conflicts(r, "1")
		}
	}
}

// TestEveryChangeOfANodeIsJudged changes what has no version of its own, by the version of its node: of two who know the same one, the second
// is refused, and a repeat is not.
func TestEveryChangeOfANodeIsJudged(t *testing.T) {
	t.Parallel()
	s := start(t)
	s.must(remote.AddCustomField, "name", "issue", "dataType", "int")
	s.must(remote.AddCustomField, "name", "part", "dataType", "int")
	for _, c := range []struct {
		op        *remote.Operation
		mine, his []string
	}{
		{remote.ChangePaperUrl, []string{"newUrl", "mine"}, []string{"newUrl", "his"}},
		{remote.SetPublicationPeriod, []string{"from", "2031-01-01", "to", "2031-02-01"}, []string{"from", "2031-01-01", "to", "2031-03-01"}},
		{remote.ClearPublicationPeriod, nil, nil},
		{remote.SetSetting, []string{"setting", "public", "value", "false"}, []string{"setting", "public", "value", "true"}},
		{remote.SetCustomFieldValue, []string{"fieldName", "issue", "value", "07"}, []string{"fieldName", "issue", "value", "8"}},
		{remote.SetMultipleCustomFieldValues, []string{"fieldsXml", `<fields><field name="issue">9</field><field name="part">2</field></fields>`},
			[]string{"fieldsXml", `<fields><field name="issue">10</field></fields>`}},
	} {
		t.Run(c.op.Name, func(t *testing.T) {
			name := strings.ToLower(c.op.Name)
			paper := s.paper("1", name)
			with := func(change []string, version string) reply {
				return s.call(c.op, append([]string{"paperID", paper, "ifVersion", version}, change...)...)
			}
			if c.mine == nil { // of two that clear, each finds what it wants: another's change is between
				s.must(remote.SetPublicationPeriod, "paperID", paper, "from", "2031-01-01", "to", "2031-02-01")
			}
			first := s.versions(remote.GetAllPapers, "version")[name]
			second := s.succeeds(with(c.mine, first)).element(t, "version")
			require.NotEqual(t, first, second)
			require.Equal(t, second, s.versions(remote.GetAllPapers, "version")[name])
			require.Equal(t, second, s.succeeds(with(c.mine, first)).element(t, "version"), "it stands")
			if c.his == nil {
				s.must(remote.SetPublicationPeriod, "paperID", paper, "from", "2031-01-01", "to", "2031-02-01")
				second = s.versions(remote.GetAllPapers, "version")[name]
			}
			require.Equal(t, second, s.conflicts(with(c.his, first), paper))
			require.Empty(t, s.succeeds(s.call(c.op, append([]string{"paperID", paper}, c.his...)...)).data, "who knows no version is told none")
			s.conflicts(s.call(c.op, append([]string{"paperID", "999", "ifVersion", first}, c.mine...)...), "")
		})
	}
}
