package apitest

import (
	"encoding/xml"
	"net/http"
	"testing"

	"github.com/stretchr/testify/require"

	"paperfs/remote"
	"paperfs/remote/service/admin"
	"paperfs/remote/service/kit/pdftest"
	"paperfs/remote/service/store"
)

// copies copies a paper, and returns the id of the other one.
func (s *server) copies(paper, parent, name string, pairs ...string) string {
	s.t.Helper()
	return s.must(remote.CopyPaper, append([]string{"paperID", paper, "destinationParentID", parent, "name", name, "urlName", ""}, pairs...)...).attribute(s.t, "id")
}

// TestACopyIsAPaperOfItsOwn copies a paper, and takes the first away: the copy has all of it, under ids of its own.
func TestACopyIsAPaperOfItsOwn(t *testing.T) {
	t.Parallel()
	s := start(t)
	garden := s.category(s.root(), "garden")
	paper := s.paper(garden, "spring")
	s.process(paper, pdftest.Document([]pdftest.Sheet{{Text: "first", URI: "https://shop.example/"}, {Text: "second"}}, pdftest.Bookmark{Title: "Chapter", Page: 1}), pdfOptions(imports))
	s.must(remote.AddCustomField, "name", "Season", "dataType", "string")
	s.must(remote.SetCustomFieldValue, "paperID", paper, "fieldName", "Season", "value", "spring")
	s.must(remote.SetSetting, "paperID", garden, "setting", "maxZoom", "value", "200")
	s.must(remote.SetSetting, "paperID", paper, "setting", "stage", "value", "dark")
	s.must(remote.SetPublicationPeriod, "paperID", paper, "from", "2001-01-01", "to", "2101-01-01")
	before := s.pages(paper)
	links := s.links(paper)
	require.NotEmpty(t, links)
	s.keeps(2)
	copied := s.copies(paper, s.root(), "Spring & more")
	require.Equal(t, "/spring-and-more/", s.must(remote.GetPaperUrlFromID, "paperID", copied).attribute(t, "url"))
	s.keeps(4)
	period := func(id string) (found string) {
		var all struct {
			Papers []struct {
				ID   string `xml:"id,attr"`
				From string `xml:"publicationperiod-from,attr"`
			} `xml:"paper"`
		}
		require.NoError(t, xml.Unmarshal([]byte("<data>"+s.must(remote.GetAllPapers, "paperID", id).data+"</data>"), &all))
		return all.Papers[0].From
	}
	require.Equal(t, "2001-01-01 00:00:00", period(copied))
	s.must(remote.DeletePaper, "paperID", paper)
	for _, e := range s.deleted() {
		s.must(remote.Purge, "entryID", e.Entry)
	}
	s.keeps(2)
	after := s.pages(copied)
	require.Equal(t, texts(before), texts(after))
	require.NotEqual(t, before[0].ID, after[0].ID)
	for _, i := range after[0].Images {
		require.Equal(t, http.StatusOK, s.get(i.URL).status, i.URL)
	}
	require.Equal(t, links, s.links(copied))
	require.Equal(t, "dark", s.setting(copied, "stage"))
	require.Equal(t, "400", s.setting(copied, "maxZoom"), "it is inherited, from where the copy is")
	require.Equal(t, "spring", s.must(remote.GetCustomFieldValue, "paperID", copied, "fieldName", "Season").element(t, "field"))
	require.Contains(t, s.must(remote.SearchPapersByCustomFields, "categoryID", s.root(), "xmlOptions", `<options><customfieldcriterias><field name="Season" value="spring"/></customfieldcriterias></options>`).data, copied)
	require.NotEmpty(t, s.must(remote.SearchPapersByContent, "query", "second", "categoryOrPaperID", copied, "xmlOptions", "").attribute(t, "pageNumber"))
	s.sound()
	status, reason := s.ended(s.must(remote.ReprocessPaper, "paperID", copied, "xmlOptions", "").element(t, "jobGuid"))
	require.Equal(t, remote.JobCompleted, status, reason)
}

// TestACopyShowsNobodyMore checks who sees a copy: nobody who does not see the paper, and of a draft nobody at all.
func TestACopyShowsNobodyMore(t *testing.T) {
	t.Parallel()
	s := start(t)
	secret, open := s.category(s.root(), "secret"), s.category(s.root(), "open")
	s.public(secret, "false")
	s.public(open, "true")
	hidden, shown := s.paper(secret, "hidden"), s.paper(open, "shown")
	seen := func(id string) string { return s.setting(id, "public") }
	require.Equal(t, "false", seen(s.copies(hidden, open, "a")))
	require.Equal(t, "false", seen(s.copies(hidden, open, "b", "draft", "true")))
	require.Equal(t, "true", seen(s.copies(shown, open, "c")))
	require.Equal(t, "true", seen(s.copies(shown, open, "d", "draft", "true")), "the category says so")
	require.Equal(t, "false", seen(s.copies(shown, secret, "e")))
	require.Equal(t, "false", seen(s.copies(shown, s.root(), "f", "draft", "true")))
	s.public(shown, "true")
	require.Equal(t, "false", seen(s.copies(shown, s.root(), "g", "draft", "true")), "a draft, although the paper says so")
	require.Equal(t, "false", seen(s.copies(shown, secret, "h")), "the category is not shown, although the paper says so")
	require.Equal(t, "true", seen(s.copies(shown, s.root(), "i")))
}

// TestWhatIsNotCopied checks refusals: nothing is made, and no content is left.
func TestWhatIsNotCopied(t *testing.T) {
	t.Parallel()
	s := start(t)
	root := s.root()
	paper := s.paper(root, "p")
	s.process(paper, pdftest.Text("one"), "")
	s.category(root, "c")
	before := s.tree()
	refused := func(code remote.Code, paper, parent, name, urlName string) {
		t.Helper()
		s.fails(code, remote.CopyPaper, "paperID", paper, "destinationParentID", parent, "name", name, "urlName", urlName)
	}
	refused(remote.PaperMustNotBeCategory, root, root, "a", "a")
	refused(remote.PaperDoesNotExist, "4711", root, "a", "a")
	refused(remote.PaperDoesNotExist, paper, "4711", "a", "a")
	refused(remote.Failure, paper, paper, "a", "a")
	refused(remote.Failure, paper, root, "", "a")
	refused(remote.Failure, paper, root, "a", "c")
	refused(remote.Failure, paper, root, "a", "manage")
	refused(remote.Failure, paper, root, "a", "a/b")
	require.Equal(t, before, s.tree())
	key, err := s.admin().AddAccount("default", "reader", remote.Reader)
	require.NoError(t, err)
	s.as("reader", key).fails(remote.LoginSecurityViolation, remote.CopyPaper, "paperID", paper, "destinationParentID", root, "name", "a", "urlName", "a")
	papers := int64(1)
	require.NoError(t, setTenant(s.admin(), admin.TenantSettings{Name: "default", Quota: store.Quota{Papers: &papers}}))
	refused(remote.Failure, paper, root, "a", "a")
	s.keeps(2)
	require.NoError(t, setTenant(s.admin(), admin.TenantSettings{Name: "default"}))
	s.queue(paper, pdftest.Forever(), "")
	refused(remote.AlreadyBeingProcessed, paper, root, "b", "b")
}

// TestASettingIsInheritedAgain takes a paper's own value away.
func TestASettingIsInheritedAgain(t *testing.T) {
	t.Parallel()
	s := start(t)
	garden := s.category(s.root(), "garden")
	paper := s.paper(garden, "p")
	s.must(remote.SetSetting, "paperID", garden, "setting", "stage", "value", "dark")
	s.must(remote.SetSetting, "paperID", paper, "setting", "stage", "value", "light")
	inherit := func(node, name string) {
		t.Helper()
		s.must(remote.SetSetting, "paperID", node, "setting", name, "value", "", "inherit", "true")
	}
	inherit(paper, "stage")
	inherit(paper, "stage")
	require.Equal(t, "dark", s.setting(paper, "stage"))
	s.must(remote.SetSetting, "paperID", garden, "setting", "stage", "value", "auto")
	require.Equal(t, "auto", s.setting(paper, "stage"))
	s.public(paper, "true")
	s.public(garden, "false")
	require.Equal(t, http.StatusOK, s.visit("/garden/p/").status)
	inherit(paper, "public")
	require.Equal(t, http.StatusNotFound, s.visit("/garden/p/").status)
	inherit(garden, "public")
	require.Equal(t, http.StatusOK, s.visit("/garden/p/").status)
	s.fails(remote.Failure, remote.SetSetting, "paperID", paper, "setting", "stage", "value", "", "inherit", "perhaps")
}

// TestSettingsOfANode asks for the settings of a node at once, with what it inherits, and for the last job of a paper.
func TestSettingsOfANode(t *testing.T) {
	t.Parallel()
	s := start(t)
	paper := s.paper(s.root(), "p")
	s.must(remote.SetSetting, "paperID", s.root(), "setting", "stage", "value", "dark")
	s.must(remote.SetSetting, "paperID", paper, "setting", "stage", "value", "dark")
	s.must(remote.SetSetting, "paperID", paper, "setting", "logo", "value", "")
	of := func(id string) map[string][4]string {
		var all struct {
			Settings []struct {
				Name      string  `xml:"name,attr"`
				Choices   string  `xml:"choices,attr"`
				Inherited string  `xml:"inherited,attr"`
				Own       *string `xml:"own,attr"`
			} `xml:"settings>setting"`
		}
		require.NoError(t, xml.Unmarshal([]byte("<data>"+s.must(remote.GetSettingDescriptions, "paperID", id).data+"</data>"), &all))
		found := map[string][4]string{}
		for _, one := range all.Settings {
			own, has := "", ""
			if one.Own != nil {
				own, has = *one.Own, "own"
			}
			found[one.Name] = [4]string{one.Choices, one.Inherited, own, has}
		}
		return found
	}
	require.Equal(t, [4]string{"auto light dark", "dark", "dark", "own"}, of(paper)["stage"])
	require.Equal(t, [4]string{"", "", "", "own"}, of(paper)["logo"])
	require.Equal(t, [4]string{"", "400", "", ""}, of(paper)["maxZoom"])
	require.Equal(t, [4]string{"auto light dark", "auto", "dark", "own"}, of(s.root())["stage"])
	s.fails(remote.PaperDoesNotExist, remote.GetSettingDescriptions, "paperID", "4711")
	require.NotContains(t, s.must(remote.GetSettingDescriptions).data, "inherited")

	last := func() reply { return s.call(remote.GetProcessingStatus, "jobGuid", "", "paperID", paper) }
	require.Equal(t, remote.Failure, last().code)
	s.process(paper, pdftest.Text("one"), "")
	require.Contains(t, last().data, "Completed")
	s.fails(remote.PaperMustNotBeCategory, remote.GetProcessingStatus, "jobGuid", "", "paperID", s.root())
}
