package apitest

import (
	"bytes"
	"image/jpeg"
	"net/http"
	"net/url"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"paperfs/remote"
	"paperfs/remote/service/admin"
	"paperfs/remote/service/kit/pdftest"
	"paperfs/remote/service/pdf"
	"paperfs/remote/testrun"
)

// published returns a service with a clock and two processed papers.
func published(t *testing.T) (s *server, set func(string), one, two string) {
	s, set = timed(t)
	one, two = s.paper("1", "one"), s.paper("1", "two")
	s.process(one, pdftest.Text("first & foremost", "second"), "")
	s.process(two, pdftest.Text("other"), "")
	return s, set, one, two
}

// with replaces one parameter of an address.
func with(address, name, value string) string {
	u, err := url.Parse(address)
	if err != nil {
		panic(err)
	}
	q := u.Query()
	q.Set(name, value)
	u.RawQuery = q.Encode()
	return u.String()
}

func TestImagesAreAtTheirAddresses(t *testing.T) {
	t.Parallel()
	s, _, one, _ := published(t)
	for _, p := range s.pages(one) {
		require.Len(t, p.Images, len(pdf.Sizes))
		for i, image := range p.Images {
			require.Equal(t, []string{"Zoom", "Normal", "Thumb"}[i], image.Type)
			require.True(t, strings.HasPrefix(image.URL, s.http.URL+"/one/Image.ashx?PageID="), image.URL)
			r := s.get(image.URL)
			require.Equal(t, http.StatusOK, r.status)
			require.Equal(t, "image/jpeg", r.header.Get("Content-Type"))
			require.Equal(t, "nosniff", r.header.Get("X-Content-Type-Options"))
			require.EqualValues(t, image.SizeKB, (len(r.body)+1023)/1024)
			require.Equal(t, pdf.Sizes[i].Longest, testrun.Must(jpeg.Decode(bytes.NewReader([]byte(r.body))))(t).Bounds().Dy())

			// An address is valid for 12 to 24 hours: at 10:00, until midnight.
			require.Equal(t, "private, max-age=50400, immutable", r.header.Get("Cache-Control"))
			again := s.get(image.URL, "If-None-Match", r.header.Get("ETag"))
			require.Equal(t, http.StatusNotModified, again.status)
			part := s.get(image.URL, "Range", "bytes=10-19")
			require.Equal(t, r.body[10:20], part.body)
		}
	}
	require.Equal(t, s.pages(one), s.pages(one), "addresses stay the same for a time, for the sake of caches")
}

func TestImageAddressesThatAreNotGood(t *testing.T) {
	t.Parallel()
	s, set, one, two := published(t)
	good := s.pages(one)[0].Images[0].URL
	other := s.pages(two)[0].Images[0].URL
	gone := func(address string) {
		t.Helper()
		r := s.get(address)
		require.Equal(t, http.StatusNotFound, r.status, address)
		require.Equal(t, "no-store", r.header.Get("Cache-Control"))
	}
	query := func(address string) url.Values {
		return testrun.Must(url.Parse(address))(t).Query()
	}
	for name, values := range query(good) {
		gone(with(good, name, ""))
		gone(with(good, name, values[0]+"0"))
		gone(with(good, name, "0"+values[0]))
	}
	gone(with(good, "ImageType", "Normal"))
	gone(with(good, "ImageType", "1"))
	gone(with(good, "PageID", query(other).Get("PageID")))
	gone(with(good, "Signature", query(other).Get("Signature")))
	gone(strings.Replace(good, "/one/", "/two/", 1))
	gone(strings.Replace(good, "/one/", "/", 1))
	gone(strings.Replace(good, "/one/", "/nothing/", 1))
	gone(s.http.URL + "/one/Image.ashx")
	require.Equal(t, http.StatusOK, s.get(strings.Replace(good, "/one/Image", "/ONE/image", 1)).status)
	req := testrun.Must(http.NewRequest(http.MethodPost, good, nil))(t)
	require.Equal(t, http.StatusMethodNotAllowed, s.do(req).status)

	s.must(remote.ChangePaperUrl, "paperID", one, "newUrl", "uno")
	gone(good)
	good = strings.Replace(good, "/one/", "/uno/", 1)
	require.Equal(t, http.StatusOK, s.get(good).status)
	set("2031-05-04 23:59:59")
	require.Equal(t, http.StatusOK, s.get(good).status, "an address is valid for at least half a day")
	set("2031-05-05 00:00:00")
	gone(good)
	good = s.pages(one)[0].Images[0].URL
	require.Equal(t, http.StatusOK, s.get(good).status)

	administrator := s.admin()
	require.NoError(t, administrator.AddTenant(admin.TenantSettings{Name: "acme", Hosts: []string{"acme.example"}}))
	require.Equal(t, http.StatusNotFound, s.at("acme.example").get(good).status)

	s.process(one, pdftest.Text("new"), "")
	gone(good)
	s.must(remote.DeletePaper, "paperID", one)
	require.Equal(t, http.StatusNotFound, s.visit("/uno/").status)
}

func TestImageAddressesSurviveARestart(t *testing.T) {
	t.Parallel()
	s := start(t)
	paper := s.paper(s.root(), "one")
	s.process(paper, pdftest.Text("one"), "")
	before := s.pages(paper)[0].Images[0].URL
	s.reopen()
	require.Equal(t, http.StatusOK, s.visit(strings.TrimPrefix(before, before[:strings.Index(before, "/one/")])).status)
}

func TestImageAddressesBeginAsThePublicURL(t *testing.T) {
	t.Parallel()
	s := start(t)
	require.NoError(t, setTenant(s.admin(), admin.TenantSettings{Name: "default", PublicURL: "https://papers.example/x"}))
	paper := s.paper(s.root(), "one")
	s.process(paper, pdftest.Text("one"), "")
	require.True(t, strings.HasPrefix(s.pages(paper)[0].Images[0].URL, "https://papers.example/x/one/Image.ashx?"))
}

var imageSource = regexp.MustCompile(`<img src="([^"]+)" srcset="[^"]+" sizes="[^"]+" width="(\d+)" height="(\d+)"`)

func TestBarePageShowsImagesAndTexts(t *testing.T) {
	t.Parallel()
	s, set, one, _ := published(t)
	r := s.visit("/one/")
	require.Equal(t, http.StatusOK, r.status)
	require.Contains(t, r.body, "first &amp; foremost")
	require.Contains(t, r.header.Get("Content-Security-Policy"), "img-src 'self'")
	sources := imageSource.FindAllStringSubmatch(r.body, -1)
	require.Len(t, sources, 2)
	for _, source := range sources {
		address := strings.ReplaceAll(source[1], "&amp;", "&")
		require.Equal(t, "800", source[3])
		require.NotContains(t, address, "Signature", "the address stays the same, for the sake of caches")
		image := s.visit("/one/" + address)
		require.Equal(t, http.StatusOK, image.status, address)
		require.Equal(t, "image/jpeg", image.header.Get("Content-Type"))
	}

	// A publication period or a preview token also limits how long images are visible and cached.
	first := func(path string) string {
		return "/one/" + strings.ReplaceAll(imageSource.FindStringSubmatch(s.visit(path).body)[1], "&amp;", "&")
	}
	address := first("/one/")
	require.Equal(t, "public, max-age=86400, immutable", s.visit(address).header.Get("Cache-Control"), "caches keep an image for at most a day")
	s.must(remote.SetPublicationPeriod, "paperID", one, "from", "2031-01-01", "to", "2031-05-04 11:00:00")
	require.Equal(t, address, first("/one/"))
	require.Equal(t, "public, max-age=3600, immutable", s.visit(address).header.Get("Cache-Control"), "caches keep an image until the period ends")
	token := s.must(remote.CreatePreviewToken, "paperID", one, "validityMinutes", "90", "ip", "").element(t, "token")
	preview := first("/one/?SecurityToken=" + token)
	require.Equal(t, "private, max-age=5400, immutable", s.visit(preview).header.Get("Cache-Control"))
	set("2031-05-04 10:59:59")
	require.Equal(t, http.StatusOK, s.visit(address).status)
	set("2031-05-04 11:00:00")
	require.Equal(t, http.StatusNotFound, s.visit("/one/").status)
	require.Equal(t, http.StatusNotFound, s.visit(address).status)
	require.Equal(t, http.StatusNotFound, s.visit(with(address, "SecurityToken", "x")).status)
	require.Equal(t, http.StatusOK, s.visit(preview).status)
	require.Equal(t, http.StatusNotFound, s.visit(strings.Replace(preview, "/one/", "/two/", 1)).status)
	set("2031-05-04 11:30:00")
	require.Equal(t, http.StatusNotFound, s.visit(preview).status)
}
