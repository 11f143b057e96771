package servicetest

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"os"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"paperfs/remote"
	"paperfs/remote/service"
	"paperfs/remote/service/answer"
	"paperfs/remote/service/kit/pdftest"
	"paperfs/remote/testrun"
)

// TestClientUnderstandsTheService runs every method of the client against the service, with every
// form of its answers.
func TestClientUnderstandsTheService(t *testing.T) {
	t.Parallel()
	for _, style := range []answer.CDATAStyle{answer.Tight, answer.Padded, answer.None} {
		for _, raw := range []bool{false, true} {
			if !testrun.All() && raw != (style == answer.Padded) {
				continue // each style once, and either form of the tree
			}
			t.Run(fmt.Sprintf("style %d raw %v", style, raw), func(t *testing.T) {
				t.Parallel()
				f := Start(t, func(o *service.Options) {
					o.CDATA, o.RawTree, o.DigitImageTypes, o.BasePath = style, raw, true, "/base"
					o.Now = func() time.Time { return time.Date(2031, 5, 4, 10, 0, 0, 0, time.UTC) }
				})
				p := NewProxy(t, f.URL)
				c := client(t, p.URL, f)
				s := &session{t, context.Background(), c, f}
				s.nodes()
				s.publications()
				s.searches()
				s.fields()
				s.media()
				s.processing()
				for _, op := range remote.Operations {
					require.Equal(t, op.Served && op != remote.GetContent, p.Count(op) > 0, op.Name)
				}
			})
		}
	}
}

func client(t *testing.T, url string, f *Fixture, set ...func(*remote.Options)) *remote.Client {
	t.Helper()
	o := remote.Options{BaseURL: url, Username: f.Username, Password: f.Password}
	for _, set := range set {
		set(&o)
	}
	c := testrun.Must(remote.New(o))(t)
	t.Cleanup(c.Close)
	return c
}

// session is a user of the client.
type session struct {
	t   *testing.T
	ctx context.Context
	c   *remote.Client
	f   *Fixture
}

// hard is a name that every layer of encoding must preserve.
var hard = "a/b \"q\" & <x> ]]> ünï 日本 + % ; " + strings.Repeat("é", 120)

func (s *session) nodes() {
	t := s.t
	rootID, found, err := s.c.GetPaperIDFromUrl(s.ctx, "/")
	require.NoError(t, err)
	require.True(t, found)
	root := remote.Node{ID: rootID, Kind: remote.CategoryNode, URL: "/"}
	a := testrun.Must(s.c.CreateCategory(s.ctx, root, hard, "a"))(t)
	paper := testrun.Must(s.c.CreatePaper(s.ctx, root, "Paper", "paper"))(t)
	require.NoError(t, s.c.MovePaper(s.ctx, paper, a))
	require.NoError(t, s.c.RenamePaper(s.ctx, paper, "Paper", 0))
	require.NoError(t, s.c.ChangePaperUrl(s.ctx, paper, "p.1~x"))
	period := remote.Period{From: time.Date(2031, 1, 1, 0, 0, 0, 0, time.UTC), To: time.Date(2031, 2, 1, 0, 0, 1, 0, time.UTC)}
	require.NoError(t, s.c.SetPublicationPeriod(s.ctx, paper, period))
	require.Equal(t, "/a/p.1~x/", testrun.Must(s.c.GetPaperUrlFromID(s.ctx, paper))(t))
	var nodes []remote.Node
	require.NoError(t, s.c.GetAllPapers(s.ctx, rootID, func(n remote.Node) error {
		nodes = append(nodes, n)
		return nil
	}))
	for i := range nodes {
		require.NotZero(t, nodes[i].Version)
		nodes[i].Version = 0
	}
	require.Equal(t, []remote.Node{
		{ID: rootID, Kind: remote.CategoryNode, Name: "default", URL: "/"},
		{ID: a, Parent: rootID, Kind: remote.CategoryNode, Name: hard, URL: "/a/"},
		{ID: paper, Parent: a, Kind: remote.PaperNode, Name: "Paper", URL: "/a/p.1~x/", Period: period, Pages: remote.PageTotal{Told: true}},
	}, nodes)
	require.NoError(t, s.c.ClearPublicationPeriod(s.ctx, paper))
	require.NoError(t, s.c.DeletePaper(s.ctx, testrun.Must(s.c.CreatePaper(remote.AsCopyOf(s.ctx, paper), remote.Node{ID: a, URL: "/a/"}, "Copy", "copy"))(t)))
	require.Contains(s.t, testrun.Must(s.c.CreateSignInLink(s.ctx))(s.t), "/base/manage/#once=")
	require.Len(t, testrun.Must(s.c.CreatePreviewToken(s.ctx, paper, 60, "203.0.113.7"))(t), 36)
	require.NoError(t, s.c.SetSetting(s.ctx, a, "backgroundColor", "#ffeedd"))
	require.Equal(t, "#ffeedd", testrun.Must(s.c.GetSetting(s.ctx, paper, "backgroundColor"))(t))
	b := testrun.Must(s.c.GetSettingDescriptions(s.ctx))(t)
	settings := testrun.Must(remote.ParseSettingDescriptions(b))(t)
	require.Contains(t, settings, remote.Setting{Name: "iconPdf", Type: "bool", Description: "PDF button", Explanation: "Whether a download button is shown."})
	require.NoError(t, s.c.DeletePaper(s.ctx, paper))
	require.NoError(t, s.c.DeletePaper(s.ctx, a))
	refused(t, remote.PaperDoesNotExist, s.c.DeletePaper(s.ctx, paper))
	_, found = testrun.Must2(s.c.GetPaperIDFromUrl(s.ctx, "/a/"))(t)
	require.False(t, found)
}

func refused(t *testing.T, code remote.Code, err error) {
	t.Helper()
	var e *remote.Error
	require.True(t, errors.As(err, &e), "%v", err)
	require.Equal(t, remote.Refused, e.Kind)
	require.Equal(t, code, e.Code)
}

func (s *session) publications() {
	t := s.t
	example := testrun.Must(os.Open("../../testdata/import.xml"))(t)
	defer example.Close()
	testrun.Must(s.f.Admin().Import(example, "default"))(t)
	spring := s.find("/garden/spring-2031/")
	for _, text := range []bool{false, true} {
		b := testrun.Must(s.c.GetPaperStructure(s.ctx, spring, text))(t)
		pages := testrun.Must(remote.ParseStructure(b))(t)
		require.Len(t, pages, 3)
		require.Equal(t, []remote.Image{
			{Type: "Zoom", SizeKB: 412, URL: "https://images.example/1.jpg?a=1&b=2"},
			{Type: "Normal", SizeKB: 131, URL: "https://images.example/1n.jpg"},
			{Type: "Thumb", SizeKB: 9, URL: "https://images.example/1t.jpg"},
		}, pages[0].Images)
		require.True(t, pages[0].PartOfIndex)
		want := ""
		if text {
			want = "ÜBER   Blumen\nund <Beete> & 100% ]]>"
		}
		require.Equal(t, want, pages[1].Text)
	}
	for _, get := range []func() ([]byte, error){
		func() ([]byte, error) { return s.c.GetLinks(s.ctx, spring) },
		func() ([]byte, error) { return s.c.GetFlipbookOrdersByType(s.ctx, spring, "CheckoutByPrint") },
		func() ([]byte, error) { return s.c.GetLicenseOrdersByType(s.ctx, "") },
	} {
		require.Contains(t, string(testrun.Must(get())(t)), "Rake", "the answer contains the shop item or the order line")
	}
	status, _ := testrun.Must2(s.c.GetProcessingStatus(s.ctx, "0d5f6c1e-93aa-4b1e-8f7d-2c6e41b7a950"))(t)
	require.Equal(t, remote.JobPending, status)
	_, err := s.c.GetFlipbookOrdersByType(s.ctx, spring, "Cash")
	refused(t, remote.UnsupportedCheckoutType, err)
	s.statistics(spring)
}

// statistics tests a paper without views.
func (s *session) statistics(paper int64) {
	from, to := time.Date(2031, 5, 1, 0, 0, 0, 0, time.UTC), time.Date(2031, 5, 2, 0, 0, 0, 0, time.UTC)
	for _, days := range []func(context.Context, int64, time.Time, time.Time) ([]remote.DayCount, error){
		s.c.GetNumberOfPageviewsPerDay, s.c.GetNumberOfVisitorsPerDay,
	} {
		require.Equal(s.t, []remote.DayCount{{Day: from}, {Day: to}}, testrun.Must(days(s.ctx, paper, from, to))(s.t))
	}
	pages, address := testrun.Must2(s.c.GetNumberOfPageviewsPerPage(s.ctx, paper, from, to))(s.t)
	require.NotEmpty(s.t, pages)
	require.Zero(s.t, pages[0].Count)
	require.Contains(s.t, address, "Statistics.ashx?Expires=")
	require.Zero(s.t, testrun.Must(s.c.GetNumberOfVisitors(s.ctx, paper, from, to))(s.t))
}

func (s *session) find(url string) int64 {
	s.t.Helper()
	id, found := testrun.Must2(s.c.GetPaperIDFromUrl(s.ctx, url))(s.t)
	require.True(s.t, found, url)
	return id
}

func (s *session) searches() {
	t := s.t
	root, garden, spring := s.find("/"), s.find("/garden/"), s.find("/garden/spring-2031/")
	category := remote.PaperHit{ID: garden, Parent: root, Kind: remote.CategoryNode, Name: "Garden tools", URL: "/garden/"}
	paper := remote.PaperHit{ID: spring, Parent: garden, Kind: remote.PaperNode, Name: "Spring 2031", URL: "/garden/spring-2031/"}
	hits := func(b []byte, err error) []remote.PaperHit {
		t.Helper()
		require.NoError(t, err)
		list, err := remote.ParsePaperHits(b)
		require.NoError(t, err)
		return list
	}
	require.Equal(t, []remote.PaperHit{category, paper}, hits(s.c.SearchPapersWithHiearchyByContent(s.ctx, "<BEETE> & 100% ]]>", root)))
	require.Equal(t, []remote.PaperHit{category, paper}, hits(s.c.SearchPapersWithHiearchyByName(s.ctx, "spring", root)))
	require.Empty(t, hits(s.c.SearchPapersWithHiearchyByName(s.ctx, "nothing", root)))
	byField := hits(s.c.SearchPapersByCustomFields(s.ctx, root, []remote.FieldCriterion{{Name: "Season", Value: `SPR%`, Wildcard: true}, {Name: "PageTarget", Value: "48"}}))
	paper.Parent = 0
	require.Equal(t, []remote.PaperHit{paper}, byField)
	b := testrun.Must(s.c.SearchPapersByContent(s.ctx, "rakes", root))(t)
	pages := testrun.Must(remote.ParsePageHits(b))(t)
	require.Equal(t, []remote.PageHit{{PaperID: spring, Page: 1, Name: "Spring 2031", URL: "/garden/spring-2031/"}}, pages)
}

func (s *session) fields() {
	t := s.t
	paper := s.find("/pumps/old/rain/")
	require.NoError(t, s.c.AddCustomField(s.ctx, "Extra", "string"))
	require.NoError(t, s.c.SetCustomFieldValue(s.ctx, paper, "Extra", "\t"+hard+"\n"))
	value, null, err := s.c.GetCustomFieldValue(s.ctx, paper, "Extra")
	require.NoError(t, err)
	require.False(t, null)
	require.Equal(t, "\t"+hard+"\n", value)
	require.NoError(t, s.c.SetMultipleCustomFieldValues(s.ctx, paper, []remote.FieldValue{{Name: "Extra", Value: ""}, {Name: "PageTarget", Value: ""}}))
	for name, want := range map[string]bool{"Extra": false, "PageTarget": true} {
		value, null, err = s.c.GetCustomFieldValue(s.ctx, paper, name)
		require.NoError(t, err)
		require.Empty(t, value)
		require.Equal(t, want, null, name)
	}
	refused(t, remote.InvalidDataFormat, s.c.SetCustomFieldValue(s.ctx, paper, "PageTarget", "many"))
	require.NoError(t, s.c.DeleteCustomField(s.ctx, "Extra"))
	fields := testrun.Must(s.c.GetCustomFieldDefinitions(s.ctx))(t)
	require.Equal(t, []remote.Field{{Name: "Approved", Type: "bool"}, {Name: "PageTarget", Type: "int"}, {Name: "Printed", Type: "datetime"}, {Name: "Season", Type: "string"}}, fields)
}

// processing processes a PDF that becomes pages, and the same one with a page range that it
// does not have.
func (s *session) processing() {
	t := s.t
	root, found := testrun.Must2(s.c.GetPaperIDFromUrl(s.ctx, "/"))(t)
	require.True(t, found)
	paper := testrun.Must(s.c.CreatePaper(s.ctx, remote.Node{ID: root, URL: "/"}, "PDF", "pdf"))(t)
	ended := func(guid string) (remote.JobStatus, string) {
		for {
			status, reason := testrun.Must2(s.c.GetProcessingStatus(s.ctx, guid))(t)
			if status != remote.JobPending {
				return status, reason
			}
			time.Sleep(10 * time.Millisecond)
		}
	}
	file := pdftest.Text("first", "second")
	job := testrun.Must(s.c.ProcessPDF(s.ctx, paper, "<options/>", content(file)))(t)
	require.Equal(t, fmt.Sprintf("%x", sha256.Sum256(file)), job.SHA256)
	_, err := s.c.ProcessPDF(s.ctx, paper, "", content("no PDF"))
	refused(t, remote.InvalidBase64PDF, err)
	status, reason := ended(job.GUID)
	require.Equal(t, remote.JobCompleted, status, reason)
	b := testrun.Must(s.c.GetPaperStructure(s.ctx, paper, true))(t)
	pages := testrun.Must(remote.ParseStructure(b))(t)
	require.Len(t, pages, 2)
	require.Equal(t, "second", pages[1].Text)
	for _, i := range pages[1].Images {
		picture := testrun.Must(s.c.Download(s.ctx, i.URL, remote.Part{}))(t)
		begin := make([]byte, 3)
		testrun.Must(io.ReadFull(picture, begin))(t)
		require.Equal(t, "\xff\xd8\xff", string(begin), i.Type)
		require.NoError(t, picture.Close())
	}

	guid := testrun.Must(s.c.ReprocessPaper(s.ctx, paper, "<options><all-pages>false</all-pages><pages-from>2</pages-from><pages-to>9</pages-to></options>"))(t)
	under := testrun.Must(s.c.GetProcessingPapers(s.ctx))(t)
	for _, p := range under { // in addition to those of the import; it may already have ended
		if p.Paper == paper {
			require.Equal(t, time.Date(2031, 5, 4, 10, 0, 0, 0, time.UTC), p.Created)
		}
	}
	status, reason = ended(guid)
	require.Equal(t, remote.JobFailed, status)
	require.Contains(t, reason, "no pages 2 to 9")
}

type content []byte

func (c content) Size() int64                  { return int64(len(c)) }
func (c content) Open() (io.ReadCloser, error) { return io.NopCloser(bytes.NewReader(c)), nil }

func (s *session) media() {
	t := s.t
	dir := testrun.Must(s.c.CreateDirectory(s.ctx, 0, "dir é"))(t)
	bytes := content(strings.Repeat("\x00\xfb\xef\xbe+/=%&", 100_000))
	name := `a "b" & <c>.svg`
	up := testrun.Must(s.c.UploadFile(s.ctx, dir, name, bytes))(t)
	sum := sha256.Sum256(bytes)
	require.Equal(t, remote.Upload{FileID: up.FileID, Size: bytes.Size(), SHA256: hex.EncodeToString(sum[:]), URL: up.URL}, up)
	empty := testrun.Must(s.c.UploadFile(s.ctx, 0, "empty", content(nil)))(t)
	tree := testrun.Must(s.c.GetTree(s.ctx))(t)
	require.Equal(t, []remote.MediaDir{{ID: dir, Name: "dir é", Version: tree.Dirs[0].Version}}, tree.Dirs)
	require.Len(t, tree.Files, 2)
	file := tree.Files[0]
	require.Equal(t, remote.MediaFile{ID: up.FileID, Parent: dir, Name: name, SizeKB: (up.Size + 1023) / 1024, Bytes: up.Size, SHA256: up.SHA256, URL: up.URL, Version: file.Version}, file)
	r := testrun.Must(s.c.Download(s.ctx, file.URL, remote.Part{From: 3}))(t)
	got := testrun.Must(io.ReadAll(r))(t)
	require.NoError(t, r.Close())
	require.True(t, string(got) == string(bytes[3:]), "the content is the same")
	refused(t, remote.Failure, s.c.DeleteDirectory(s.ctx, dir))
	moved := testrun.Must(s.c.MoveFile(s.ctx, up.FileID, 0, "moved", remote.NoFile))(t)
	require.Equal(t, up.FileID, moved)
	require.NoError(t, s.c.MoveDirectory(s.ctx, dir, 0, "other", false))
	require.NoError(t, s.c.DeleteFile(s.ctx, up.FileID))
	require.NoError(t, s.c.DeleteFile(s.ctx, empty.FileID))
	require.NoError(t, s.c.DeleteDirectory(s.ctx, dir))
	gone := testrun.Must(s.c.GetDeleted(s.ctx, remote.Place{Path: "/media"}, time.Time{}, 0))(t)
	require.Len(t, gone, 3)
	require.Equal(t, remote.Entry{Entry: gone[2].Entry, Kind: "file", ID: up.FileID, Name: "moved", Path: "/media/moved", At: gone[2].At, Account: s.f.Username, Bytes: up.Size}, gone[2])
	require.Equal(t, dir, testrun.Must(s.c.Restore(s.ctx, gone[0].Entry, "again"))(t).Back[0].ID)
	require.NoError(t, s.c.Purge(s.ctx, gone[2].Entry))
	require.NotEmpty(t, testrun.Must(s.c.Wait(s.ctx, "", 0, ""))(t).Next)
}
