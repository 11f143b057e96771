package apitest

import (
	"net/http"
	"testing"

	"github.com/stretchr/testify/require"

	"paperfs/remote"
	"paperfs/remote/service/kit/pdftest"
	"paperfs/remote/service/store"
)

// TestEachChangeThatAPageShowsGivesItAnotherETag checks that a paper's page gets a new ETag with each change that it shows,
// and with no other.
func TestEachChangeThatAPageShowsGivesItAnotherETag(t *testing.T) {
	t.Parallel()
	s, _, one, two := published(t)
	shelf := s.category("1", "shelf")
	s.must(remote.MovePaper, "sourcePaperID", one, "destinationParentID", shelf)
	file, other := s.upload("0", "list.txt", "x"), s.upload("0", "other.txt", "x")
	directory := s.must(remote.CreateDirectory, "parentID", "0", "name", "d").element(t, "directoryid")
	link := store.Link{Page: 1, Width: 1, Height: 1, LinkType: "url", URL: "https://example.org/"}
	toFile := store.Link{Page: 1, Width: 1, Height: 1, LinkType: "file", FileID: " " + file + " "}
	setting := func(node, name, value string) func() {
		return func() { s.must(remote.SetSetting, "paperID", node, "setting", name, "value", value) }
	}
	for _, c := range []struct {
		what  string
		shown bool
		do    func()
	}{
		{"its pages", true, func() { s.process(one, pdftest.Text("first", "second"), "") }},
		{"the same pages again, which have other pictures", true, func() { s.process(one, pdftest.Text("first", "second"), "") }},
		{"another paper's pages", false, func() { s.process(two, pdftest.Text("third"), "") }},
		{"its links", true, func() { s.link(one, link, toFile) }},
		{"another paper's links", false, func() { s.link(two, link) }},
		{"a file that a link leads to, content", false, func() { s.upload("0", "list.txt", "y") }},
		{"a file that a link leads to is moved", false, func() { s.succeeds(s.move(remote.MoveFile, file, directory, "list.txt")) }},
		{"a file that a link leads to is renamed", true, func() { s.succeeds(s.move(remote.MoveFile, file, directory, "List.txt")) }},
		{"another file is renamed", false, func() { s.succeeds(s.move(remote.MoveFile, other, "0", "others.txt")) }},
		{"another file is deleted", false, func() { s.must(remote.DeleteFile, "fileID", other) }},
		{"a file that a link leads to is deleted", true, func() { s.must(remote.DeleteFile, "fileID", file) }},
		{"another file is added", false, func() { s.upload("0", "new.txt", "z") }},
		{"its setting", true, setting(one, "maxZoom", "200")},
		{"its setting, the same", false, setting(one, "maxZoom", "200")},
		{"a setting that it inherits", true, setting(shelf, "language", "fr")},
		{"a setting that it inherits from the root", true, setting("1", "backgroundColor", "red")},
		{"an inherited setting that it has itself", false, setting(shelf, "maxZoom", "300")},
		{"a setting of another paper", false, setting(two, "language", "da")},
		{"another paper is added", false, func() { s.paper(shelf, "three") }},
		{"another paper's period", false, func() {
			s.must(remote.SetPublicationPeriod, "paperID", two, "from", "2030-01-01", "to", "2030-01-02")
		}},
		{"no links", true, func() { s.link(one) }},
	} {
		tag := s.get(s.http.URL + "/shelf/one/").header.Get("ETag")
		require.NotEmpty(t, tag)
		c.do()
		want := http.StatusNotModified
		if c.shown {
			want = http.StatusOK
		}
		require.Equal(t, want, s.get(s.http.URL+"/shelf/one/", "If-None-Match", tag).status, c.what)
	}
}
