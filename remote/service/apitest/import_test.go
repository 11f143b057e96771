package apitest

import (
	"errors"
	"log/slog"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"paperfs/remote"
	"paperfs/remote/service"
	"paperfs/remote/service/admin"
	"paperfs/remote/service/importfile"
	"paperfs/remote/service/kit/pdftest"
	"paperfs/remote/service/store"
	"paperfs/remote/testrun"
)

// imported returns a server with the example of the import format.
func imported(t *testing.T, change ...func(*service.Options)) *server {
	t.Helper()
	s := start(t, change...)
	s.importFile("../testdata/import.xml")
	return s
}

func (s *server) importFile(name string) admin.Report {
	s.t.Helper()
	f := testrun.Must(os.Open(name))(s.t)
	defer f.Close()
	return testrun.Must(s.admin().Import(f, "default"))(s.t)
}

func (s *server) importText(text string) (admin.Report, error) {
	s.t.Helper()
	return s.admin().Import(strings.NewReader(text), "default")
}

// idOf returns the id of the node at an address.
func (s *server) idOf(url string) string {
	s.t.Helper()
	return s.must(remote.GetPaperIDFromUrl, "url", url).attribute(s.t, "id")
}

func TestImport(t *testing.T) {
	t.Parallel()
	s := start(t)
	report := s.importFile("../testdata/import.xml")
	want := admin.Report{Categories: 3, Papers: 2, Pages: 4, Links: 2, Orders: 4, Jobs: 4, Fields: 4, FieldValues: 7, Settings: 3, Periods: 1}
	require.Equal(t, want, report)
	require.Equal(t, `<category id="1" name="default" url="/">`+
		`<category id="2" name="Garden tools" url="/garden/">`+
		`<paper id="3" name="Spring 2031" url="/garden/spring-2031/" publicationperiod-from="2031-03-01 06:00:00" publicationperiod-to="2031-05-31 22:00:00" />`+
		`</category>`+
		`<category id="4" name="pumps" url="/pumps/"><category id="5" name="old" url="/pumps/old/"><paper id="6" name="Rain &amp; hoses" url="/pumps/old/rain/" /></category></category>`+
		`</category>`, s.tree())
	require.Equal(t, "true", s.must(remote.GetSetting, "paperID", "3", "setting", "autoMaximize").element(t, "autoMaximize"))
	require.Equal(t, "de", s.must(remote.GetSetting, "paperID", "3", "setting", "language").element(t, "language"))

	// A second import creates no nodes and replaces pages, links and orders.
	tree := s.tree()
	want.Categories, want.Papers, want.Fields = 0, 0, 0
	require.Equal(t, want, s.importFile("../testdata/import.xml"))
	require.Equal(t, tree, s.tree())
	require.Equal(t, 3, strings.Count(s.must(remote.GetPaperStructure, "paperID", "3", "includeIndexedText", "").data, "<page "))
}

func TestImportReplacesWhatIsGiven(t *testing.T) {
	t.Parallel()
	s := imported(t)
	_, err := s.importText(`<import><paper id="3"><pages/><orders><order orderId="Zk81qP" orderDate="2031-04-02" checkoutType="CheckoutBySms"/></orders></paper></import>`)
	require.NoError(t, err)
	require.Contains(t, s.must(remote.GetPaperStructure, "paperID", "3", "includeIndexedText", "").data, "<pages />")
	require.Contains(t, s.must(remote.GetLinks, "paperID", "3").data, "<link ", "parts that the import omits stay")
	orders := s.must(remote.GetFlipbookOrdersByType, "paperId", "3", "checkoutType", "").data
	require.Contains(t, orders, `<orders count="2"`)
	require.Contains(t, orders, `<order orderId="Zk81qP" orderDate="2031-04-02 00:00:00" checkoutType="CheckoutBySms" orderLinesCount="0" totalOrderValue="0" />`)
}

// TestImportAfterDeleting checks that the orders and jobs of a deleted paper come back if an
// import restores the paper.
func TestImportAfterDeleting(t *testing.T) {
	t.Parallel()
	s := imported(t)
	s.must(remote.DeletePaper, "paperID", "6")
	require.Equal(t, "<flipbooks />", s.must(remote.GetLicenseOrdersByType, "checkoutType", "CheckoutBySms").data)
	s.importFile("../testdata/import.xml")
	require.NotEqual(t, "6", s.idOf("/pumps/old/rain/"), "ids are not reused")
	require.Contains(t, s.must(remote.GetLicenseOrdersByType, "checkoutType", "CheckoutBySms").data, "bbbbb1")
}

// TestImportOfATree checks that an answer of GetAllPapers can be imported unchanged: an import
// ignores ids next to a url.
func TestImportOfATree(t *testing.T) {
	t.Parallel()
	s := start(t)
	_, err := s.importText(`<import><category id="7001" name="Acme" url="/"><category id="7310" name="Old" url="/old/" /><paper id="1" name="P" url="/p/"/></category></import>`)
	require.NoError(t, err)
	require.Equal(t, `<category id="1" name="default" url="/"><category id="2" name="Old" url="/old/" /><paper id="3" name="P" url="/p/" /></category>`, s.tree())
}

// TestImportOfABadFile checks that an invalid file changes nothing, and that the error names
// the line.
func TestImportOfABadFile(t *testing.T) {
	t.Parallel()
	s := imported(t)
	tree := s.tree()
	for text, words := range map[string]string{
		"":                                       "line 1: there is no element import",
		"no xml":                                 "line 1: text where only elements",
		"<export/>":                              "import",
		"<import>\n<paper":                       "line 2: not well-formed",
		"<import>\n</paper></import>":            "line 2: not well-formed",
		"<!DOCTYPE import><import/>":             "document types are refused",
		"<import/><import/>":                     "second document",
		"<import>\n&boom;</import>":              "line 2: not well-formed",
		"<import>\n<thing/></import>":            "line 2: element thing is not allowed here",
		"<import>text</import>":                  "text where only elements belong",
		"<import><paper/></import>":              "neither a url nor an id",
		"<import>\n\n<paper id='999'/></import>": "line 3: there is no category or paper 999",
		"<import><paper id='2'/></import>":       "line 1: the node with this id is a category, not a paper",
		"<import><category url='/garden/spring-2031/'/></import>":                                                                                                      "is a paper, not a category",
		"<import><paper url='/garden/'/></import>":                                                                                                                     "/garden/ is a category, not a paper",
		"<import><paper url='/new/a b/'/></import>":                                                                                                                    "each part has to be",
		"<import><paper url='/new/..//'/></import>":                                                                                                                    "each part has to be",
		"<import><paper url='new/'/></import>":                                                                                                                         "has to begin with /",
		"<import><paper url='/new'/></import>":                                                                                                                         "end with a slash",
		"<import><paper url='/garden/spring-2031/x/'/></import>":                                                                                                       "leads through a paper",
		"<import><paper url='/new/' color='red'/></import>":                                                                                                            "attribute color is not allowed",
		"<import><paper url='/new/' name='" + strings.Repeat("x", 256) + "'/></import>":                                                                                "1 to 255",
		"<import><paper url='/new/' publicationperiod-from='2031-01-01'/></import>":                                                                                    "publicationperiod",
		"<import><paper url='/new/' publicationperiod-from='2031-01-02' publicationperiod-to='2031-01-02'/></import>":                                                  "publicationperiod",
		"<import><paper url='/new/'>\n<pages>\n<page number='2'/></pages></paper></import>":                                                                            "line 3: page number",
		"<import><paper url='/new/'><pages><page number='1'>text</page></pages></paper></import>":                                                                      "text where only elements belong",
		"<import><paper url='/new/'><pages><page number='1' part-of-index='x'/></pages></paper></import>":                                                              "part-of-index",
		"<import><paper url='/new/'><pages><page number='1'><images><image type='4' url='x'/></images></page></pages></paper></import>":                                "image type",
		"<import><paper url='/new/'><root><link/></root></paper></import>":                                                                                             "number",
		"<import><paper url='/new/'><root><link><number>1</number><x>NaN</x></link></root></paper></import>":                                                           "link's x",
		"<import><paper url='/new/'><orders>\n<order orderId='a' orderDate='2031-01-01' checkoutType='Cash'/></orders></paper></import>":                               "line 2: checkoutType",
		"<import><paper url='/new/'><orders><order orderId='a b' orderDate='2031-01-01'/></orders></paper></import>":                                                   "orderId",
		"<import><paper url='/new/'><orders><order orderId='a' orderDate='soon'/></orders></paper></import>":                                                           "orderDate",
		"<import><paper url='/new/'><orders><order orderId='Zk81qP' orderDate='2031-01-01' checkoutType='CheckoutBySms'/></orders></paper></import>":                   "belongs to another paper",
		"<import><paper url='/new/'><processes><process guid='x'/></processes></paper></import>":                                                                       "not a GUID",
		"<import><paper url='/new/'><processes><process guid='11111111-2222-3333-4444-555555555557' created='2031-01-01' status='Done'/></processes></paper></import>": "status",
		"<import><paper id='3'><processes><process guid='11111111-2222-3333-4444-555555555557' created='2031-01-01' status='Pending'/></processes></paper></import>":   "pending",
		"<import><paper url='/new/'><settings><nothing>1</nothing></settings></paper></import>":                                                                        "no setting nothing",
		"<import><paper url='/new/'><settings>\n<autoMaximize>maybe</autoMaximize></settings></paper></import>":                                                        "line 2: \"maybe\" does not fit",
		"<import><paper url='/new/'><customfields><field name='Nothing'/></customfields></paper></import>":                                                             "no custom field Nothing",
		"<import><paper url='/new/'><settings>\n<shopExportUrl>https://x y;script-src *</shopExportUrl></settings></paper></import>":                                   "line 2: \"https://x y;script-src *\" does not fit the setting shopExportUrl, which has to be empty or an address",
		"<import><paper url='/new/'><customfields>\n<field name='PageTarget'>many</field></customfields></paper></import>":                                             "line 2: The value does not fit",
		"<import><fields><field name='a b' datatype='int'/></fields></import>":                                                                                         "name of a field",
		"<import><fields><field name='Season' datatype='int'/></fields></import>":                                                                                      "type string, not int",
		"<import><fields><field name='New' datatype='float'/></fields></import>":                                                                                       "dataType",
	} {
		// If something later in the file is invalid, the valid start must not be imported.
		text = strings.Replace(text, "<import>", "<import><paper url='/first/'/>", 1)
		_, err := s.importText(text)
		require.ErrorContains(t, err, words, text)
		var located *importfile.Error
		require.True(t, errors.As(err, &located), text)
		require.Equal(t, tree, s.tree(), text)
	}
	_, err := s.admin().Import(strings.NewReader("<import/>"), "nobody")
	require.ErrorContains(t, err, "no tenant nobody")
}

// tenantNamed creates a tenant with the host NAME.example, and returns the server with its account.
func (s *server) tenantNamed(name string) *server { return s.tenantBy(s.admin(), name) }

func (s *server) tenantBy(by *admin.Admin, name string) *server {
	s.t.Helper()
	require.NoError(s.t, by.AddTenant(admin.TenantSettings{Name: name, Hosts: []string{name + ".example"}}))
	key := testrun.Must(by.AddAccount(name, "me", remote.Admin))(s.t)
	return s.as("me", key).at(name + ".example")
}

// TestRemoveTenant checks that all records of the tenant are deleted, that its content goes to the
// trash, and that other tenants keep theirs.
func TestRemoveTenant(t *testing.T) {
	t.Parallel()
	s := imported(t) // pages, links, orders, jobs and fields of the tenant default
	large := strings.Repeat("large ", 40_000)
	s.upload("0", "file", "of default "+large)
	acme := s.tenantNamed("acme")
	dir := acme.must(remote.CreateDirectory, "parentID", "0", "name", "logos").element(t, "directoryid")
	acme.upload(dir, "large", large)
	acme.upload("0", "small", "small")
	category := acme.category(acme.root(), "catalogues")
	paper := acme.paper(category, "spring")
	acme.must(remote.AddCustomField, "name", "Colour", "dataType", "string")
	acme.must(remote.SetSetting, "paperID", paper, "setting", "iconPdf", "value", "true")
	acme.must(remote.CreatePreviewToken, "paperID", paper, "validityMinutes", "60", "ip", "")
	acme.process(paper, pdftest.Text("garden"), "")
	s.keeps(5)
	state := s.everything()

	administrator := s.admin()
	b := testrun.Must(administrator.Belongings("acme"))(t)
	require.Equal(t, store.Belongings{Accounts: 1, Categories: 1, Papers: 1, Dirs: 1, Files: 2, MediaBytes: int64(len(large) + len("small")), Jobs: 1, Fields: 1}, b)
	require.NoError(t, administrator.RemoveTenant("acme"))
	_, err := administrator.Belongings("acme")
	require.ErrorContains(t, err, "no tenant acme")
	acme.fails(remote.LoginSecurityViolation, remote.GetTree)
	require.Equal(t, state, s.everything())
	s.keeps(1)                      // a media file, a PDF and its images are in the trash; the small file is deleted
	if s.place().Database() == "" { // with PostgreSQL, dropped content stays for a while
		require.Len(t, testrun.Must(filepath.Glob(filepath.Join(s.data, "trash", "*", "*")))(t), 3)
	}
	report := testrun.Must(administrator.Check(t.Context(), admin.CheckOptions{Deep: true}))(t)
	require.True(t, report.Sound(), "%+v", report)

	again := s.tenantNamed("acme")
	require.False(t, again.must(remote.GetTree).has, "a new tenant of the same name has none of the old content")
	require.NotEqual(t, category, again.category(again.root(), "catalogues"), "no id is reused")
	require.ErrorContains(t, administrator.RemoveTenant("default"), "cannot be removed")
	require.ErrorContains(t, administrator.RemoveTenant("nobody"), "no tenant nobody")
	require.NoError(t, administrator.RemoveTenant("acme"))
	s.reopen()
	require.Equal(t, state, s.everything())
}

// everything returns all that the tenant default shows.
func (s *server) everything() (all []string) {
	s.t.Helper()
	for _, r := range []reply{s.must(remote.GetAllPapers, "paperID", s.root()), s.must(remote.GetLinks, "paperID", "3"), s.must(remote.GetPaperStructure, "paperID", "3", "includeIndexedText", "true"),
		s.must(remote.GetCustomFieldDefinitions), s.must(remote.GetLicenseOrdersByType, "checkoutType", "")} {
		all = append(all, r.data)
	}
	tree := s.must(remote.GetTree)
	return append(all, tree.attribute(s.t, "sha256"), s.get(tree.attribute(s.t, "url")).body)
}

// TestRemoveTenantWithAJobUnderWay checks that the job ends without a log entry, and that PDFs of
// other tenants are processed.
func TestRemoveTenantWithAJobUnderWay(t *testing.T) {
	t.Parallel()
	var log logBuffer
	s := start(t, func(o *service.Options) { o.Log = slog.New(slog.NewTextHandler(&log, nil)) })
	acme := s.tenantNamed("acme")
	acme.queue(acme.paper(acme.root(), "endless"), pdftest.Forever(), "")
	require.NoError(t, s.admin().RemoveTenant("acme"))
	s.process(s.paper(s.root(), "spring"), pdftest.Text("garden"), "")
	s.close()
	require.NotContains(t, log.String(), "PDF not processed")
}

// TestRemovedTenantsClientEnv checks that a client.env with an account of the tenant is removed
// with it.
func TestRemovedTenantsClientEnv(t *testing.T) {
	t.Parallel()
	s := start(t)
	acme := s.tenantNamed("acme")
	env := filepath.Join(s.data, "client.env")
	own := testrun.Must(os.ReadFile(env))(t)
	require.NoError(t, os.WriteFile(env, []byte("PAPERFS_URL=http://acme.example:80\nPAPERFS_USERNAME=me\nPAPERFS_PASSWORD="+acme.key+"\nPAPERFS_RPM=0\n"), 0o600))
	require.NoError(t, s.admin().RemoveTenant("acme"))
	require.NoFileExists(t, env)
	require.NoError(t, os.WriteFile(env, own, 0o600))
	s.must(remote.GetTree)
}

// TestHostNames checks that add and set refuse a name that no request can have, explain why, and
// store nothing.
func TestHostNames(t *testing.T) {
	t.Parallel()
	s := start(t)
	administrator := s.admin()
	for _, good := range []string{"papers.example.org", "Papers.Example.ORG.", "localhost", "papers.example.org:8080", "a_b.example", "xn--bcher-kva.example", "1and1.example",
		"192.0.2.7", "192.0.2.7:80", "2001:db8::1", "[2001:db8::1]", "[2001:db8::1]:443", strings.Repeat("a", 63) + ".example"} {
		require.NoError(t, administrator.AddTenant(admin.TenantSettings{Name: "acme", Hosts: []string{good}}), good)
		require.NoError(t, administrator.RemoveTenant("acme"))
	}
	require.NoError(t, administrator.AddTenant(admin.TenantSettings{Name: "acme", Hosts: []string{"acme.example"}}))
	before := testrun.Must(administrator.Tenants())(t)
	for _, bad := range []string{"*", "*.example.org", "", ".", "a..example", ".example", "papers.example.org..", "-a.example", "a-.example", "a b.example", "bücher.example",
		"http://papers.example.org", "papers.example.org/x", "papers.example.org:80/x", "papers.example.org:", "papers.example.org:http", "papers.example.org:65536", "me@papers.example.org",
		"papers?", "a,b", "a;b", "999.1.1.1", "192.0.2", "7", "fe80::1%eth0", "2001:db8::g", strings.Repeat("a", 64) + ".example", strings.Repeat("a.", 126) + "aa"} {
		for name, err := range map[string]error{
			"add": administrator.AddTenant(admin.TenantSettings{Name: "other", Hosts: []string{"other.example", bad}}),
			"set": administrator.ChangeTenant("acme", func(t *admin.TenantSettings) error { t.Hosts = []string{bad}; return nil }),
		} {
			require.ErrorContains(t, err, "it has to be one name like papers.example.org", "%s %q", name, bad)
		}
	}
	require.Equal(t, before, testrun.Must(administrator.Tenants())(t))
}
