package apitest

import (
	"encoding/xml"
	"net/http"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"paperfs/remote"
	"paperfs/remote/service"
	"paperfs/remote/service/kit/generate"
	"paperfs/remote/service/kit/pdftest"
	"paperfs/remote/testrun"
)

// knowing are the headers of a client that knows versions.
var knowing = []string{"Prefer", "paperfs-version"}

// versions returns what a tree shows of all elements with an id: name and version, or edition.
func (s *server) versions(op *remote.Operation, attribute string) map[string]string {
	s.t.Helper()
	r := s.tagged(http.MethodPost, op, "", knowing...)
	require.Equal(s.t, remote.Success, r.code)
	return r.attributes(s.t, "name", attribute)
}

// attributes returns an attribute of all elements in the data that have it, by another attribute.
func (r reply) attributes(t tester, by, name string) map[string]string {
	t.Helper()
	found := map[string]string{}
	d := xml.NewDecoder(strings.NewReader(r.data))
	for {
		token, err := d.Token()
		if err != nil {
			return found
		}
		if start, ok := token.(xml.StartElement); ok {
			all := map[string]string{}
			for _, at := range start.Attr {
				all[at.Name.Local] = at.Value
			}
			if value, has := all[name]; has {
				found[all[by]] = value
			}
		}
	}
}

// TestVersions checks which changes replace which versions.
func TestVersions(t *testing.T) {
	t.Parallel()
	s := start(t)
	s.must(remote.CreateDirectory, "parentID", "0", "name", "d")
	s.upload("1", "a", "1")
	s.upload("0", "b", "1")
	s.must(remote.CreateCategory, "parentID", "1", "name", "c", "urlName", "c")
	s.must(remote.CreatePaper, "parentID", "1", "name", "p", "urlName", "p")
	s.must(remote.CreatePaper, "parentID", "1", "name", "q", "urlName", "q")
	edition := func() string { return s.versions(remote.GetAllPapers, "edition")["p"] }
	for _, step := range []struct {
		changes []string
		edition bool // of p
		change  func()
	}{
		{[]string{"a"}, false, func() { s.upload("1", "a", "2") }},
		{nil, false, func() { s.must(remote.CreateDirectory, "parentID", "1", "name", "e") }},
		{nil, false, func() { s.must(remote.DeleteFile, "fileID", "2") }},
		{[]string{"p"}, false, func() { s.must(remote.MovePaper, "sourcePaperID", "3", "destinationParentID", "2") }},
		{nil, false, func() { s.must(remote.MovePaper, "sourcePaperID", "3", "destinationParentID", "2") }},
		{[]string{"c"}, false, func() { s.must(remote.ChangePaperUrl, "paperID", "2", "newUrl", "other") }},
		{[]string{"p"}, false, func() {
			s.must(remote.SetPublicationPeriod, "paperID", "3", "from", "2031-01-01", "to", "2032-01-01")
		}},
		{[]string{"p"}, false, func() { s.must(remote.ClearPublicationPeriod, "paperID", "3") }},
		{nil, false, func() { s.must(remote.SetSetting, "paperID", "3", "setting", "iconPdf", "value", "0") }},
		{nil, true, func() { s.queue("3", pdftest.Text("Regen"), "") }},
		{nil, false, func() { s.must(remote.DeletePaper, "paperID", "4") }},
	} {
		if !step.edition {
			s.idle()
		}
		all := func() map[string]string {
			together := s.versions(remote.GetTree, "version")
			for name, version := range s.versions(remote.GetAllPapers, "version") {
				together[name] = version
			}
			return together
		}
		before, was := all(), edition()
		step.change()
		var changed []string
		for name, version := range all() {
			require.NotEmpty(t, version)
			if before[name] != version && before[name] != "" {
				changed = append(changed, name)
			}
		}
		require.Equal(t, step.changes, changed)
		require.Equal(t, step.edition, was != edition())
	}
	was := edition()
	s.process("3", pdftest.Text("Schnee"), "")
	accepted := edition()
	require.NotEqual(t, was, accepted)
	s.reopen()
	require.Equal(t, accepted, edition())
}

// TestAJobThatEndsWellIsANewEdition checks that only clients that know editions see a new tree.
func TestAJobThatEndsWellIsANewEdition(t *testing.T) {
	t.Parallel()
	s := start(t)
	s.paper("1", "p")
	get := func(tag string, header ...string) reply {
		return s.tagged(http.MethodGet, remote.GetAllPapers, tag, header...)
	}
	plain := get("")
	require.NotContains(t, plain.data, "version")
	require.NotContains(t, plain.data, "pages=")
	tag := ""
	for _, text := range []string{"", "Regen", "broken"} {
		switch text {
		case "Regen":
			s.process("2", pdftest.Text(text), "")
		case "broken":
			status, _ := s.ended(s.queue("2", []byte("%PDF-1.4 "+text), ""))
			require.Equal(t, remote.JobFailed, status)
		}
		known := get(tag, knowing...)
		require.Equal(t, http.StatusOK, known.status)
		require.Equal(t, text != "", strings.Contains(known.data, ` pages="1"`), known.data)
		require.NotEqual(t, plain.header.Get("ETag"), known.header.Get("ETag"))
		require.Equal(t, http.StatusNotModified, get(known.header.Get("ETag"), knowing...).status)
		require.Equal(t, http.StatusNotModified, get(plain.header.Get("ETag")).status, "it sees no edition")
		tag = known.header.Get("ETag")
	}
}

// TestLargeTreesWithVersions checks that the cache keeps them apart from those without.
func TestLargeTreesWithVersions(t *testing.T) {
	t.Parallel()
	s := start(t)
	s.place().Generate(s.t, generate.Spec{Papers: 1000, Categories: 30, Depth: 3, Media: 300, Seed: 1})
	for _, op := range []*remote.Operation{remote.GetAllPapers, remote.GetTree} {
		for range 2 {
			require.NotContains(t, s.tagged(http.MethodPost, op, "").data, "version=")
			require.Contains(t, s.tagged(http.MethodPost, op, "", knowing...).data, "version=")
		}
	}
}

// TestNoVersionsWithoutExtensions checks a service that offers only what is documented.
func TestNoVersionsWithoutExtensions(t *testing.T) {
	t.Parallel()
	s := start(t, func(o *service.Options) { o.NoExtended = true })
	require.Equal(t, s.tagged(http.MethodPost, remote.GetAllPapers, "").body, s.tagged(http.MethodPost, remote.GetAllPapers, "", knowing...).body)
}

// TestOffers checks who is told what the service offers.
func TestOffers(t *testing.T) {
	t.Parallel()
	s := start(t)
	paper := s.paper("1", "p")
	offers := func(r reply) string { return r.header.Get("Paperfs-Offers") }
	for _, op := range offered() {
		require.Equal(t, "versions, moves, deleted=30, events, raw, pageviews, pages, manage, copies, rate=0", offers(s.call(op, blank(op)...)), op.Name)
		require.Empty(t, offers(s.as(s.user, "wrong").call(op, blank(op)...)), op.Name)
		require.Empty(t, offers(s.as("nobody", "").by(http.MethodGet, op, blank(op)...)), op.Name)
	}
	tree := s.tagged(http.MethodGet, remote.GetTree, "")
	require.Equal(t, "versions, moves, deleted=30, events, raw, pageviews, pages, manage, copies, rate=0", offers(tree))
	require.Equal(t, "versions, moves, deleted=30, events, raw, pageviews, pages, manage, copies, rate=0", offers(s.tagged(http.MethodGet, remote.GetTree, tree.header.Get("ETag"))))
	require.Empty(t, offers(s.visit("/")))
	require.Empty(t, offers(s.visit("/V2/Media.asmx")))
	s.must(remote.ClearPublicationPeriod, "paperID", paper) // now the service remembers the caller
	key := testrun.Must(s.admin().AddAccount("default", "editor", remote.Editor))(t)
	editor := s.as("editor", key)
	editor.must(remote.ClearPublicationPeriod, "paperID", paper)
	require.NoError(t, s.admin().RemoveAccount("default", "editor"))
	require.Empty(t, offers(editor.fails(remote.LoginSecurityViolation, remote.ClearPublicationPeriod, "paperID", paper)))
	bare := start(t, func(o *service.Options) { o.NoExtended = true })
	require.Empty(t, offers(bare.call(remote.GetAllPapers, "paperID", "1")))
}
