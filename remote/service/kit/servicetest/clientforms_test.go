package servicetest_test

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"io"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"paperfs/remote"
	"paperfs/remote/service"
	"paperfs/remote/service/answer"
	"paperfs/remote/service/kit/servicetest"
)

var ctx = context.Background()

// forms are the ways a service may write its answers.
var forms = map[string]func(*service.Options){
	"wrapped, tight": func(*service.Options) {},
	"raw, padded":    func(o *service.Options) { o.RawTree, o.CDATA = true, answer.Padded },
	"none, strict": func(o *service.Options) {
		o.CDATA, o.StrictCodes, o.DigitImageTypes, o.BasePath = answer.None, true, true, "/some/base"
	},
}

const imported = `<import><category url="/garden/" name="Garden">
  <paper url="/garden/spring/" name="Spring &amp; ]]&gt; more"><pages>
    <page number="1" part-of-index="True"><text>Rakes  from 9 &lt; 10 ]]&gt; x</text><images><image type="Zoom" file-size="412" url="https://images.example/1.jpg" /></images></page>
    <page number="2"><text></text></page></pages>
   <root><link number="1"><number>1</number><x>0.5</x><y>0.5</y><width>0.1</width><height>0.1</height><linktype>shopitem</linktype><param>&lt;item&gt;&lt;![CDATA[x]]&gt;&lt;/item&gt;</param></link></root>
   <processes><process guid="8e0c4a52-0e3b-4b9e-9d55-3f8a3a0d1c11" created="2031-02-11 16:39:50" status="Completed" progress="100" /></processes>
  </paper></category></import>`

func connect(t *testing.T, base string, f *servicetest.Fixture, change ...func(*remote.Options)) *remote.Client {
	o := remote.Options{BaseURL: base, Username: f.Username, Password: f.Password}
	for _, c := range change {
		c(&o)
	}
	c, err := remote.New(o)
	require.NoError(t, err)
	t.Cleanup(c.Close)
	return c
}

func tree(t *testing.T, c *remote.Client, id int64) []remote.Node {
	var nodes []remote.Node
	require.NoError(t, c.GetAllPapers(ctx, id, func(n remote.Node) error { nodes = append(nodes, n); return nil }))
	return nodes
}

func root(t *testing.T, c *remote.Client) remote.Node {
	id, found, err := c.GetPaperIDFromUrl(ctx, "/")
	require.NoError(t, err)
	require.True(t, found)
	return tree(t, c, id)[0]
}

func code(t *testing.T, err error) remote.Code {
	t.Helper()
	var e *remote.Error
	require.ErrorAs(t, err, &e)
	require.Equal(t, remote.Refused, e.Kind, "%v", err)
	return e.Code
}

func TestAgainstTheService(t *testing.T) {
	t.Parallel()
	for name, form := range forms {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			f := servicetest.Start(t, form)
			_, err := f.Admin().Import(strings.NewReader(imported), "default")
			require.NoError(t, err)
			c := connect(t, f.URL, f)
			t.Run("tree", func(t *testing.T) { changesTree(t, c) })
			t.Run("documents", func(t *testing.T) { readsDocuments(t, c) })
			t.Run("values", func(t *testing.T) { setsValues(t, c) })
			t.Run("media", func(t *testing.T) { storesMedia(t, c) })
		})
	}
}

func changesTree(t *testing.T, c *remote.Client) {
	r := root(t, c)
	const odd = "A/B \"q\" & <x> ]]> ‛ü\u00a0."
	category, err := c.CreateCategory(ctx, r, odd, "odd")
	require.NoError(t, err)
	paper, err := c.CreatePaper(ctx, remote.Node{ID: category, URL: "/odd/"}, odd, "p")
	require.NoError(t, err)
	other, err := c.CreateCategory(ctx, r, "Other", "other")
	require.NoError(t, err)
	require.NoError(t, c.MovePaper(ctx, paper, other))
	require.NoError(t, c.ChangePaperUrl(ctx, paper, "q"))
	period := remote.Period{From: time.Date(2031, 1, 2, 3, 4, 5, 0, time.UTC), To: time.Date(2032, 1, 1, 0, 0, 0, 0, time.UTC)}
	require.NoError(t, c.SetPublicationPeriod(ctx, paper, period))
	want := remote.Node{ID: paper, Kind: remote.PaperNode, Name: odd, URL: "/other/q/", Period: period}
	now := tree(t, c, paper)
	want.Version = now[0].Version
	want.Pages.Told = want.Version != 0
	require.Equal(t, []remote.Node{want}, now)
	url, err := c.GetPaperUrlFromID(ctx, paper)
	require.NoError(t, err)
	require.Equal(t, "/other/q/", url)
	require.NoError(t, c.ClearPublicationPeriod(ctx, paper))
	require.True(t, tree(t, c, paper)[0].Period.IsZero())
	token, err := c.CreatePreviewToken(ctx, paper, 60, "203.0.113.7")
	require.NoError(t, err)
	require.Len(t, token, 36)
	require.NoError(t, c.DeletePaper(ctx, paper))
	require.NoError(t, c.DeletePaper(ctx, category))
	_, err = c.GetPaperUrlFromID(ctx, paper)
	require.Equal(t, remote.PaperDoesNotExist, code(t, err))
	_, found, err := c.GetPaperIDFromUrl(ctx, "/odd/")
	require.NoError(t, err)
	require.False(t, found)
}

func readsDocuments(t *testing.T, c *remote.Client) {
	id, found, err := c.GetPaperIDFromUrl(ctx, "/GARDEN/spring/")
	require.NoError(t, err)
	require.True(t, found)
	doc, err := c.GetPaperStructure(ctx, id, true)
	require.NoError(t, err)
	pages, err := remote.ParseStructure(doc)
	require.NoError(t, err)
	require.Len(t, pages, 2)
	require.Equal(t, "Rakes  from 9 < 10 ]]> x", pages[0].Text)
	require.Equal(t, []remote.Image{{Type: "Zoom", SizeKB: 412, URL: "https://images.example/1.jpg"}}, pages[0].Images)
	doc, err = c.GetLinks(ctx, id)
	require.NoError(t, err)
	require.Contains(t, string(doc), "<root>")
	doc, err = c.GetFlipbookOrdersByType(ctx, id, "")
	require.NoError(t, err)
	require.Contains(t, string(doc), `<orders count="0" />`)
	_, err = c.GetFlipbookOrdersByType(ctx, id, "Barter")
	require.Equal(t, remote.UnsupportedCheckoutType, code(t, err))
	require.ErrorContains(t, err, "CheckoutByEmail")
	_, err = c.GetLicenseOrdersByType(ctx, "CheckoutByEmail")
	require.NoError(t, err)
	status, _, err := c.GetProcessingStatus(ctx, "{8E0C4A52-0E3B-4B9E-9D55-3F8A3A0D1C11}")
	require.NoError(t, err)
	require.Equal(t, remote.JobCompleted, status)

	garden := root(t, c).ID
	doc, err = c.SearchPapersWithHiearchyByContent(ctx, "rakes FROM 9 <", garden)
	require.NoError(t, err)
	hits, err := remote.ParsePaperHits(doc)
	require.NoError(t, err)
	require.Len(t, hits, 2)
	require.Equal(t, remote.CategoryNode, hits[0].Kind)
	require.Equal(t, remote.PaperHit{ID: id, Parent: hits[0].ID, Kind: remote.PaperNode, Name: "Spring & ]]> more", URL: "/garden/spring/"}, hits[1])
	doc, err = c.SearchPapersByContent(ctx, "rakes", id)
	require.NoError(t, err)
	found1, err := remote.ParsePageHits(doc)
	require.NoError(t, err)
	require.Equal(t, []remote.PageHit{{PaperID: id, Page: 1, Name: "Spring & ]]> more", URL: "/garden/spring/"}}, found1)
	doc, err = c.SearchPapersWithHiearchyByName(ctx, "nothing like it", garden)
	require.NoError(t, err)
	hits, err = remote.ParsePaperHits(doc)
	require.NoError(t, err)
	require.Empty(t, hits)
}

func setsValues(t *testing.T, c *remote.Client) {
	paper, _, err := c.GetPaperIDFromUrl(ctx, "/garden/spring/")
	require.NoError(t, err)
	doc, err := c.GetSettingDescriptions(ctx)
	require.NoError(t, err)
	settings, err := remote.ParseSettingDescriptions(doc)
	require.NoError(t, err)
	names := map[string]string{}
	for _, s := range settings {
		names[s.Name] = s.Type
	}
	require.Equal(t, "bool", names["autoMaximize"])
	require.Equal(t, "string", names["language"])
	require.NoError(t, c.SetSetting(ctx, paper, "language", "de-CH"))
	value, err := c.GetSetting(ctx, paper, "language")
	require.NoError(t, err)
	require.Equal(t, "de-CH", value)

	require.NoError(t, c.AddCustomField(ctx, "Season", "string"))
	require.NoError(t, c.AddCustomField(ctx, "Pages", "int"))
	fields, err := c.GetCustomFieldDefinitions(ctx)
	require.NoError(t, err)
	require.ElementsMatch(t, []remote.Field{{Name: "Season", Type: "string"}, {Name: "Pages", Type: "int"}}, fields)
	require.NoError(t, c.SetCustomFieldValue(ctx, paper, "season", " spr%ing "))
	value, null, err := c.GetCustomFieldValue(ctx, paper, "Season")
	require.NoError(t, err)
	require.False(t, null)
	require.Equal(t, " spr%ing ", value)
	_, null, err = c.GetCustomFieldValue(ctx, paper, "Pages")
	require.NoError(t, err)
	require.True(t, null)
	require.NoError(t, c.SetMultipleCustomFieldValues(ctx, paper, []remote.FieldValue{{Name: "Season", Value: "a<b"}, {Name: "Pages", Value: "7"}}))
	doc, err = c.SearchPapersByCustomFields(ctx, root(t, c).ID, []remote.FieldCriterion{{Name: "Season", Value: "A<%", Wildcard: true}, {Name: "Pages", Value: "7"}})
	require.NoError(t, err)
	hits, err := remote.ParsePaperHits(doc)
	require.NoError(t, err)
	require.Len(t, hits, 1)
	require.Equal(t, paper, hits[0].ID)
	require.Equal(t, remote.InvalidDataFormat, code(t, c.SetCustomFieldValue(ctx, paper, "Pages", "seven")))
	require.NoError(t, c.DeleteCustomField(ctx, "pages"))
}

func storesMedia(t *testing.T, c *remote.Client) {
	dir, err := c.CreateDirectory(ctx, 0, "Prüf & Co")
	require.NoError(t, err)
	for _, size := range []int{0, 1, 1000, 1 << 20} {
		data := strings.Repeat("\xfb\xef\xbe\x00~", size/5+1)[:size]
		up, err := c.UploadFile(ctx, dir, "a b+c.bin", bytesOf(data))
		require.NoError(t, err)
		sum := sha256.Sum256([]byte(data))
		media, err := c.GetTree(ctx)
		require.NoError(t, err)
		require.Equal(t, []remote.MediaDir{{ID: dir, Name: "Prüf & Co", Version: media.Dirs[0].Version}}, media.Dirs)
		require.Len(t, media.Files, 1)
		file := media.Files[0]
		require.Equal(t, up, remote.Upload{FileID: file.ID, Size: file.Bytes, SHA256: file.SHA256, URL: file.URL})
		require.Equal(t, hex.EncodeToString(sum[:]), file.SHA256)
		require.Equal(t, int64(size+1023)/1024, file.SizeKB)
		for _, offset := range []int{0, size / 3, size} {
			r, err := c.Download(ctx, file.URL, remote.Part{From: int64(offset)})
			require.NoError(t, err)
			got, err := io.ReadAll(r)
			require.NoError(t, err)
			require.NoError(t, r.Close())
			require.Equal(t, data[offset:], string(got))
		}
	}
	require.Equal(t, remote.Failure, code(t, c.DeleteDirectory(ctx, dir)))
	media, err := c.GetTree(ctx)
	require.NoError(t, err)
	require.NoError(t, c.DeleteFile(ctx, media.Files[0].ID))
	require.NoError(t, c.DeleteDirectory(ctx, dir))
}

type bytesOf string

func (b bytesOf) Size() int64 { return int64(len(b)) }
func (b bytesOf) Open() (io.ReadCloser, error) {
	return io.NopCloser(strings.NewReader(string(b))), nil
}

// TestLostRepliesOfChanges checks that a change whose reply is lost after it took effect
// succeeds, and happens once.
func TestLostRepliesOfChanges(t *testing.T) {
	t.Parallel()
	f := servicetest.Start(t)
	_, err := f.Admin().Import(strings.NewReader(imported), "default")
	require.NoError(t, err)
	proxy := servicetest.NewProxy(t, f.URL)
	c := connect(t, proxy.URL, f)
	cut := func(op *remote.Operation) { proxy.Cut(op, 1, 0) }
	r := root(t, c)

	cut(remote.CreateCategory)
	category, err := c.CreateCategory(ctx, r, "New", "new")
	require.NoError(t, err)
	cut(remote.CreatePaper)
	paper, err := c.CreatePaper(ctx, remote.Node{ID: category, URL: "/new/"}, "P", "p")
	require.NoError(t, err)
	cut(remote.MovePaper)
	require.NoError(t, c.MovePaper(ctx, paper, r.ID))
	cut(remote.ChangePaperUrl)
	require.NoError(t, c.ChangePaperUrl(ctx, paper, "q"))
	cut(remote.AddCustomField)
	require.NoError(t, c.AddCustomField(ctx, "Season", "string"))
	cut(remote.DeleteCustomField)
	require.NoError(t, c.DeleteCustomField(ctx, "Season"))
	cut(remote.CreateDirectory)
	dir, err := c.CreateDirectory(ctx, 0, "logos")
	require.NoError(t, err)
	cut(remote.UploadFile)
	up, err := c.UploadFile(ctx, dir, "a", bytesOf("content"))
	require.NoError(t, err)
	cut(remote.DeleteFile)
	require.NoError(t, c.DeleteFile(ctx, up.FileID))
	cut(remote.DeleteDirectory)
	require.NoError(t, c.DeleteDirectory(ctx, dir))
	cut(remote.DeletePaper)
	require.NoError(t, c.DeletePaper(ctx, paper))

	for _, op := range []*remote.Operation{remote.CreateCategory, remote.CreatePaper, remote.AddCustomField, remote.DeleteCustomField, remote.CreateDirectory} {
		require.Equal(t, 1, proxy.Count(op), op.Name)
	}
	for _, op := range []*remote.Operation{remote.MovePaper, remote.ChangePaperUrl, remote.UploadFile, remote.DeleteFile, remote.DeletePaper} {
		require.Equal(t, 2, proxy.Count(op), op.Name)
	}
}

func TestRefusedCredentialsAndAbsentOperations(t *testing.T) {
	t.Parallel()
	f := servicetest.Start(t, func(o *service.Options) { o.NoExtended = true })
	c := connect(t, f.URL, f)
	_, err := c.GetTree(ctx)
	var e *remote.Error
	require.True(t, errors.As(err, &e))
	require.Equal(t, remote.NotOffered, e.Kind)

	stranger := connect(t, f.URL, f, func(o *remote.Options) { o.Password = "wrong" })
	_, _, err = stranger.GetPaperIDFromUrl(ctx, "/")
	require.Equal(t, remote.LoginSecurityViolation, code(t, err))
	_, err = stranger.UploadFile(ctx, 0, "a", bytesOf(strings.Repeat("x", 3<<20)))
	require.Equal(t, remote.LoginSecurityViolation, code(t, err))

	require.NoError(t, f.Admin().SetReadOnly(true))
	require.Equal(t, remote.ReadOnly, code(t, c.MovePaper(ctx, 1, 2)))
	_, err = c.UploadFile(ctx, 0, "a", bytesOf(strings.Repeat("x", 3<<20)))
	require.Equal(t, remote.ReadOnly, code(t, err))
}

func TestServicesLimits(t *testing.T) {
	t.Parallel()
	f := servicetest.Start(t, func(o *service.Options) { o.RPM, o.BodyLimit = 3, 1<<20 })
	c := connect(t, f.URL, f)
	_, err := c.UploadFile(ctx, 0, "a", bytesOf(strings.Repeat("x", 2<<20)))
	var e *remote.Error
	require.ErrorAs(t, err, &e)
	require.Equal(t, remote.TooLarge, e.Kind)
	for err == nil || e.Kind == remote.TooLarge {
		if _, _, err = c.GetPaperIDFromUrl(ctx, "/"); err != nil {
			require.ErrorAs(t, err, &e)
		}
	}
	require.Equal(t, remote.Throttled, e.Kind)
	_, _, err = c.GetPaperIDFromUrl(ctx, "/")
	require.ErrorAs(t, err, &e)
	require.Equal(t, remote.OverBudget, e.Kind, "the client knows Retry-After now")
}
