package apitest

import (
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"paperfs/remote"
	"paperfs/remote/rules"
	"paperfs/remote/service/kit/pdftest"
	"paperfs/remote/service/store"
)

func (s *server) public(node, value string) {
	s.t.Helper()
	s.must(remote.SetSetting, "paperID", node, "setting", "public", "value", value)
}

// TestAPaperThatIsNotPublicIsShownToNobody checks each door of a paper whose category is not public: only preview links, addresses
// that were signed for callers with credentials, and media files stay open, and an ETag from before opens nothing.
func TestAPaperThatIsNotPublicIsShownToNobody(t *testing.T) {
	t.Parallel()
	s := start(t)
	garden := s.category(s.root(), "garden")
	paper, other := s.paper(garden, "spring"), s.paper(garden, "summer")
	for _, id := range []string{paper, other} {
		s.process(id, pdftest.Text("one", "two"), "")
	}
	s.upload("0", "logo.svg", "<svg/>")
	doors := s.doors(paper, "/garden/spring/")
	shelf, sitemap, media := s.http.URL+"/garden/", s.http.URL+"/sitemap.xml", s.http.URL+"/media/1/logo.svg"
	view := func() int { return (&stand{server: s}).hit("/garden/spring/Hit.ashx", params("pages", "1")).status }
	tags := map[string]string{}
	open := func() {
		t.Helper()
		for _, door := range append([]string{shelf, sitemap}, doors...) {
			r := s.get(door)
			require.Equal(t, http.StatusOK, r.status, door)
			tags[door] = r.header.Get("ETag")
		}
		require.Equal(t, http.StatusNoContent, view())
		require.Contains(t, s.get(shelf).body, "spring/")
		require.Contains(t, s.get(shelf+"?Search=spring").body, "spring/")
		require.Contains(t, s.get(sitemap).body, "/garden/spring/")
	}
	open()
	s.public(garden, "false")
	for _, door := range doors {
		want := http.StatusNotFound
		if strings.Contains(door, "SecurityToken") || strings.Contains(door, "Signature") || door == doors[len(doors)-2] {
			want = http.StatusOK
		}
		require.Equal(t, want, s.get(door).status, door)
		if tag := tags[door]; want != http.StatusOK && tag != "" {
			require.Equal(t, want, s.get(door, "If-None-Match", tag).status, "%s with %s", door, tag)
		}
	}
	for _, door := range []string{shelf, shelf + "?Search=spring", sitemap, s.http.URL + "/"} {
		require.Equal(t, http.StatusNotFound, s.get(door, "If-None-Match", tags[door]).status, door)
	}
	require.Equal(t, http.StatusNotFound, view())
	require.Equal(t, http.StatusOK, s.get(media).status)
	search := s.must(remote.SearchPapersWithHiearchyByContent, "query", "one", "categoryID", s.root(), "xmlOptions", "").data
	require.Contains(t, search, "spring", "those who manage papers find it")

	s.public(other, "true")
	require.NotContains(t, s.get(shelf).body, "spring/", "its neighbour has a value of its own")
	require.Contains(t, s.get(shelf).body, "summer/")
	s.must(remote.MovePaper, "sourcePaperID", other, "destinationParentID", s.root())
	s.must(remote.MovePaper, "sourcePaperID", other, "destinationParentID", garden)
	require.Equal(t, http.StatusOK, s.get(shelf+"summer/").status)

	s.must(remote.MovePaper, "sourcePaperID", paper, "destinationParentID", s.root())
	require.Equal(t, http.StatusOK, s.get(s.http.URL+"/spring/").status, "it inherits from where it is")
	s.must(remote.MovePaper, "sourcePaperID", paper, "destinationParentID", garden)
	require.Equal(t, http.StatusNotFound, s.get(shelf+"spring/").status)
	added := s.paper(garden, "added")
	s.process(added, pdftest.Text("new"), "")
	require.Equal(t, http.StatusNotFound, s.get(shelf+"added/").status)
	s.public(garden, "true")
	open()
	require.Equal(t, http.StatusOK, s.get(shelf+"added/").status)
}

// TestThePeriodCountsWhileAPaperIsPublic checks that a period shows nothing of a paper that is not public, and that the setting shows
// nothing outside of the period.
func TestThePeriodCountsWhileAPaperIsPublic(t *testing.T) {
	t.Parallel()
	s, c := startMoving(t)
	paper := s.made("p")
	s.period(paper, "from", rules.FormatTime(clock.Add(time.Hour)), "to", rules.FormatTime(clock.Add(2*time.Hour)))
	s.public(paper, "false")
	status := func() (status int, over bool) {
		r := s.visit("/p/")
		return r.status, strings.Contains(r.body, "no longer")
	}
	for _, step := range []struct {
		public string
		moved  time.Duration
		status int
		over   bool
	}{{"false", 0, 404, false}, {"true", 0, 404, false}, {"false", time.Hour, 404, false}, {"true", 0, 200, false}, {"false", time.Hour, 404, false}, {"true", 0, 404, true}} {
		c.move(step.moved)
		s.public(paper, step.public)
		got, over := status()
		require.Equal(t, []any{step.status, step.over}, []any{got, over}, step)
	}
}

// TestWebhooksAreToldOfWhatIsPublic changes the setting of a category with several papers: of each that readers saw, and of no other, a
// webhook is told once that it is no longer published, and later that it is again.
func TestWebhooksAreToldOfWhatIsPublic(t *testing.T) {
	t.Parallel()
	s, c := startMoving(t)
	r := startReceiver(t)
	garden := s.category(s.category(s.root(), "a"), "garden")
	made := func(name string) string {
		id := s.made(name)
		s.must(remote.MovePaper, "sourcePaperID", id, "destinationParentID", garden)
		return id
	}
	one, two, over, empty, own := made("one"), made("two"), made("over"), s.paper(garden, "empty"), made("own")
	s.period(over, past...)
	s.public(own, "true")
	s.hook(r, store.HookPublished, store.HookUnpublished)
	told := 0
	expect := func(want ...string) {
		t.Helper()
		s.until(func() bool { return len(r.events()) >= told+len(want) }, want)
		require.ElementsMatch(t, want, r.events()[told:])
		told += len(want)
	}
	s.public(s.root(), "false")
	expect("unpublished "+one, "unpublished "+two)
	s.public(garden, "false")
	s.public(one, "false")
	late := made("late")
	s.period(two, "from", rules.FormatTime(clock.Add(time.Hour)), "to", rules.FormatTime(clock.Add(2*time.Hour)))
	s.must(remote.DeletePaper, "paperID", late)
	c.move(90 * time.Minute)
	s.public(s.root(), "true")
	s.public(own, "false")
	expect("unpublished " + own)
	s.public(garden, "true")
	expect("published " + two)
	s.public(one, "true")
	expect("published " + one)
	s.must(remote.DeletePaper, "paperID", one)
	expect("unpublished " + one)
	s.public(garden, "false")
	expect("unpublished " + two)
	kept := s.deleted()
	s.must(remote.Restore, "entryID", kept[0].Entry)
	expect("published " + one)
	s.must(remote.Restore, "entryID", kept[1].Entry)
	s.public(garden, "true")
	expect("published "+two, "published "+late)
	require.NotContains(t, strings.Join(r.events(), " "), empty)
	s.goodRecords()
}

// TestTreesTellWhatIsNotPublic hides a category: clients that know versions see it in their trees, and are told of a paper that moves there.
func TestTreesTellWhatIsNotPublic(t *testing.T) {
	t.Parallel()
	s := start(t)
	garden := s.category("1", "garden")
	s.paper(garden, "rake")
	mover := s.paper("1", "mover")
	tree := func() map[string]string { return s.versions(remote.GetAllPapers, "public") }
	require.Empty(t, tree())
	s.public(garden, "false")
	require.Equal(t, map[string]string{"garden": "false", "rake": "false"}, tree())
	require.NotContains(t, s.tree(), "public=", "others see nothing of it")
	mark := s.mark()
	s.must(remote.MovePaper, "sourcePaperID", mover, "destinationParentID", garden)
	require.Contains(t, s.must(remote.Wait, "after", mark, "seconds", "0").data, `public="false"`)
	require.Equal(t, "false", tree()["mover"])
	s.public(garden, "true")
	require.Empty(t, tree())
}
