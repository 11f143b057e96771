package remote

import (
	"context"
	"io"
	"net/http"
	"runtime"
	"strings"
	"sync/atomic"
	"testing"
	"testing/iotest"
	"time"

	"github.com/stretchr/testify/require"
	"golang.org/x/text/encoding/charmap"
	"golang.org/x/text/encoding/unicode"

	"paperfs/remote/testrun"
)

const treeData = `<category id="7001" name="Acme &amp; Söhne" url="/acme/">
  <category id="7310" name="Garden&#10;tools" url="/acme/garden/">
    <paper id="7344" name="Spring 2031" url="/acme/garden/spring-2031/"
       publicationperiod-from="2031-03-01 06:00:00" publicationperiod-to="2031-05-31 22:00:00" new="x" />
  </category>
  <category id="7388" name="]]&gt;" url="/acme/archive/" />
  <paper id="7402" name="Pumps" url="/acme/pumps/"></paper>
</category>`

var treeNodes = []Node{
	{ID: 7001, Kind: CategoryNode, Name: "Acme & Söhne", URL: "/acme/"},
	{ID: 7310, Parent: 7001, Kind: CategoryNode, Name: "Garden\ntools", URL: "/acme/garden/"},
	{ID: 7344, Parent: 7310, Kind: PaperNode, Name: "Spring 2031", URL: "/acme/garden/spring-2031/",
		Period: Period{time.Date(2031, 3, 1, 6, 0, 0, 0, time.UTC), time.Date(2031, 5, 31, 22, 0, 0, 0, time.UTC)}},
	{ID: 7388, Parent: 7001, Kind: CategoryNode, Name: "]]>", URL: "/acme/archive/"},
	{ID: 7402, Parent: 7001, Kind: PaperNode, Name: "Pumps", URL: "/acme/pumps/"},
}

func TestTreeInAllForms(t *testing.T) {
	t.Parallel()
	plain := result(Success, treeData)
	latin := testrun.Must(charmap.ISO8859_1.NewEncoder().String(strings.Replace(plain, "utf-8", "iso-8859-1", 1)))(t)
	wide := testrun.Must(unicode.UTF16(unicode.LittleEndian, unicode.UseBOM).NewEncoder().String(strings.Replace(plain, "utf-8", "utf-16", 1)))(t)
	bare := strings.TrimPrefix(plain, `<?xml version="1.0" encoding="utf-8"?>`)
	forms := map[string]string{
		"raw":                  plain,
		"wrapped":              wrap(plain),
		"wrapped twice":        wrap(wrap(plain)),
		"inner claims utf-16":  wrap(strings.Replace(plain, "utf-8", "utf-16", 1)),
		"claims utf-16":        strings.Replace(plain, "utf-8", "utf-16", 1),
		"result unescaped":     `<s:string xmlns:s="x"> ` + bare + ` </s:string>`,
		"no declaration":       bare,
		"byte order mark":      "\ufeff" + plain,
		"inner mark and space": wrap(" \n\ufeff " + plain),
		"latin 1":              latin,
		"utf-16":               wide,
		"in CDATA":             "<string><![CDATA[" + strings.ReplaceAll(plain, "]]>", "]]]]><![CDATA[>") + "]]></string>",
		"data before the code": "<result><extra><code>NO</code></extra><data>" + treeData + "</data><code>SUCCESS</code></result>",
		"padded code":          strings.Replace(plain, "<![CDATA[SUCCESS]]>", "\n  <![CDATA[ SUCCESS\n ]]>\n", 1),
		"plain code":           strings.Replace(plain, "<![CDATA[SUCCESS]]>", "SUCCESS", 1),
		"blank in an end tag":  strings.Replace(plain, "</code>", "</ code>", 1),
		"comments":             "<!-- a --><?p?>" + strings.Replace(bare, "<data>", "<!-- <data> --><data><?x y?>", 1) + "<!-- z -->\n",
	}
	for name, body := range forms {
		t.Run(name, func(t *testing.T) {
			_, c := serve(t, answers(body))
			require.Equal(t, treeNodes, testrun.Must(collect(c, 7001))(t))
		})
	}
}

// canned returns an answer without a network.
type canned struct {
	body string
	end  error // after body; nil for a regular end
}

func (a *canned) RoundTrip(r *http.Request) (*http.Response, error) {
	r.Body.Close()
	var body io.Reader = strings.NewReader(a.body)
	if a.end != nil {
		body = io.MultiReader(body, iotest.ErrReader(a.end))
	}
	return &http.Response{StatusCode: http.StatusOK, Request: r, Body: io.NopCloser(body),
		Header: http.Header{"Content-Type": {"text/xml; charset=utf-8"}}}, nil
}

// TestCutAnswerIsNeverASuccess checks that a truncated answer fails the call, whether or not
// the connection reports it.
func TestCutAnswerIsNeverASuccess(t *testing.T) {
	t.Parallel()
	links := `<root><link number="1"><number>4</number></link></root>`
	slip := `<root><link><param><![CDATA[<item><![CDATA[x]]></item>]]></param></link></root>`
	for name, body := range map[string]string{
		"raw": result(Success, links), "wrapped": wrap(result(Success, links)), "not well-formed": result(Success, slip),
	} {
		t.Run(name, func(t *testing.T) {
			_, c := serve(t, answers(""))
			answer := &canned{body: body}
			c.http.Transport = answer
			testrun.Must(c.GetLinks(context.Background(), 1))(t)
			for _, answer.end = range []error{nil, io.ErrUnexpectedEOF} {
				for cut := range len(body) {
					answer.body = body[:cut]
					_, err := c.GetLinks(context.Background(), 1)
					fails(t, err, Broken)
				}
			}
		})
	}
}

func TestPayloadIsTheChildOfData(t *testing.T) {
	t.Parallel()
	const child = `<root a='1'><link number="1"><alttext><![CDATA[ö < ]]></alttext></link></root>`
	for name, c := range map[string]struct{ body, want string }{
		"raw":       {result(Success, "\n "+child+"\n"), child},
		"wrapped":   {wrap(result(Success, child)), child},
		"none":      {"<result><code>SUCCESS</code></result>", "<data />"},
		"empty":     {result(Success, ""), "<data></data>"},
		"two":       {result(Success, "<a/><b/>"), "<data><a/><b/></data>"},
		"deep same": {result(Success, "<data><data/></data>"), "<data><data/></data>"},
	} {
		t.Run(name, func(t *testing.T) {
			_, client := serve(t, answers(c.body))
			require.Equal(t, declaration+c.want+"\n", string(testrun.Must(client.GetLinks(context.Background(), 1))(t)))
		})
	}
}

func TestNotWellFormedPayloadIsGivenAsReceived(t *testing.T) {
	t.Parallel()
	slip := result(Success, `<root><link><param><![CDATA[<item><![CDATA[Rake]]></item>]]></param></link></root>`)
	_, c := serve(t, answers(slip))
	doc := testrun.Must(c.GetLinks(context.Background(), 1))(t)
	require.Equal(t, slip, string(doc))

	_, c = serve(t, answers(wrap(slip)))
	doc = testrun.Must(c.GetLinks(context.Background(), 1))(t)
	require.Equal(t, wrap(slip), string(doc))

	_, c = serve(t, answers(strings.Replace(slip, "SUCCESS", "READONLY", 1)))
	_, err := c.GetLinks(context.Background(), 1)
	require.Equal(t, ReadOnly, fails(t, err, Refused).Code)

	// A method that reads values rejects such a document.
	_, c = serve(t, answers(strings.ReplaceAll(slip, "root", "paper")))
	_, err = c.GetPaperUrlFromID(context.Background(), 1)
	fails(t, err, Broken)
}

func TestStrangeAnswers(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct{ contentType, body, words string }{
		"empty":          {"text/xml", "", "is empty"},
		"blanks":         {"text/xml", " \n ", "is empty"},
		"page":           {"text/html", "<!DOCTYPE html><html><body>Down for maintenance</body></html>", "HTML page: Down for maintenance"},
		"xhtml":          {"text/xml", "<html><body>Down</body></html>", "HTML page"},
		"title":          {"text/html", "<!DOCTYPE html><html><head><meta a='b'><title lang='en'>Log in &amp; go</title></head><body>" + strings.Repeat("x", 9000), "HTML page: Log in & go"},
		"words":          {"text/plain", "Bad gateway " + testPassword, "not XML: Bad gateway ***"},
		"json":           {"application/json", `{"code":"SUCCESS"}`, "not XML"},
		"other root":     {"text/xml", "<answer/>", "root of the answer is <answer>"},
		"no code":        {"text/xml", "<result><data/></result>", "has no code"},
		"two codes":      {"text/xml", "<result><code>SUCCESS</code><code>ERROR</code></result>", "two codes"},
		"empty string":   {"text/xml", "<string/>", "empty string"},
		"blank string":   {"text/xml", "<string> </string>", "empty string"},
		"string of text": {"text/xml", "<string>hello</string>", "text outside"},
		"strings":        {"text/xml", wrap(wrap(wrap(result(Success, treeData)))), "root of the answer is <string>"},
		"doctype":        {"text/xml", `<!DOCTYPE r [<!ENTITY a "b">]><result><code>SUCCESS</code></result>`, "document type"},
		"inner doctype":  {"text/xml", wrap(`<!DOCTYPE r><result><code>SUCCESS</code></result>`), "document type"},
		"entity":         {"text/xml", "<result><code>SUCCESS&a;</code></result>", "entity"},
		"tail":           {"text/xml", "<result><code>SUCCESS</code></result>x", "outside of the root"},
		"second root":    {"text/xml", "<result><code>SUCCESS</code></result><a/>", "second root"},
		"charset":        {"text/xml", `<?xml version="1.0" encoding="klingon"?><result/>`, "character set"},
	} {
		t.Run(name, func(t *testing.T) {
			_, client := serve(t, func(_ int, w http.ResponseWriter, _ *http.Request) {
				w.Header().Set("Content-Type", c.contentType)
				io.WriteString(w, c.body)
			})
			_, err := collect(client, 1)
			require.Contains(t, fails(t, err, Broken).Reason(), c.words)
		})
	}
}

// TestEndlessAnswersEndEarly checks that the client stops reading endless nesting, tags and
// names early, and keeps none of it.
func TestEndlessAnswersEndEarly(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct{ start, piece string }{
		"nesting": {"", "<a>"}, "tag": {"<a b='", "x "}, "attributes": {"<a ", "b='' "}, "name": {"<", "x"},
		"leaf": {"<a>", "x"}, "brackets": {"<a>", "]"}, "references": {"<a>", "&amp;"}, "section": {"<a><![CDATA[", "]]"},
		"wrong": {"<", "<"},
	} {
		t.Run(name, func(t *testing.T) {
			const whole = 100 << 20
			var sent atomic.Int64
			_, client := serve(t, func(_ int, w http.ResponseWriter, _ *http.Request) {
				io.WriteString(w, "<result><code>SUCCESS</code><data>"+c.start)
				chunk := strings.Repeat(c.piece, 64<<10)
				for sent.Load() < whole {
					n, err := io.WriteString(w, chunk)
					if err != nil {
						return
					}
					sent.Add(int64(n))
				}
			})
			_, err := client.GetSetting(context.Background(), 1, "a")
			fails(t, err, Broken)
			require.Less(t, sent.Load(), int64(whole/2))
		})
	}
}

func TestReplyLimit(t *testing.T) {
	t.Parallel()
	_, c := serve(t, answers(result(Success, "<a>"+strings.Repeat("x", DefaultMaxReply)+"</a>")))
	err := c.MovePaper(context.Background(), 1, 2)
	require.Contains(t, fails(t, err, Broken).Reason(), "longer than")
}

// TestLeafStyles checks that a value is the same in each CDATA style.
func TestLeafStyles(t *testing.T) {
	t.Parallel()
	for style, c := range map[string]struct{ data, want string }{
		"tight":        {`<a><![CDATA[ x & y ]]></a>`, " x & y "},
		"around":       {"<a>\n  <![CDATA[ x & y ]]>\n</a>", " x & y "},
		"none":         {`<a> x &amp; y </a>`, " x & y "},
		"split":        {"<a>\n<![CDATA[a]]]]><![CDATA[>b]]> </a>", "a]]>b"},
		"empty":        {"<a>\n<![CDATA[]]>\n</a>", ""},
		"empty tag":    {"<a/>", ""},
		"blank":        {"<a> </a>", " "},
		"mixed":        {"<a> x <![CDATA[y]]> </a>", " x y "},
		"line ends":    {"<a>1\r\n2\r3&#13;\n</a>", "1\n2\n3\r\n"},
		"line ends 2":  {"<a><![CDATA[1\r\n2\r]]></a>", "1\n2\n"},
		"child":        {"<a>x<b>y</b>z</a>", "xyz"},
		"a number ref": {"<a>&#x41;&#66;</a>", "AB"},
	} {
		t.Run(style, func(t *testing.T) {
			_, client := serve(t, answers(result(Success, c.data), wrap(result(Success, c.data))))
			for range 2 {
				require.Equal(t, c.want, testrun.Must(client.GetSetting(context.Background(), 1, "a"))(t))
			}
		})
	}
}

func TestFailuresCarryTheServicesWords(t *testing.T) {
	t.Parallel()
	_, c := serve(t, answers(
		result(PaperDoesNotExist, "<x/>"),
		`<result><code>UNSUPPORTED_CHECKOUT_TYPE</code><message /><data> Use "CheckoutByEmail" or "". </data></result>`,
		wrap(`<result><code> SOMETHING_NEW </code></result>`),
		result(Failure, "unexpected <a/>"),
	))
	ctx := context.Background()
	_, err := c.GetPaperUrlFromID(ctx, 1)
	e := fails(t, err, Refused)
	require.Equal(t, PaperDoesNotExist, e.Code)
	require.Equal(t, "GetPaperUrlFromID: PAPER_DOES_NOT_EXIST: words of the service", e.Error())
	_, err = c.GetFlipbookOrdersByType(ctx, 1, "x")
	require.Equal(t, `Use "CheckoutByEmail" or "".`, fails(t, err, Refused).Message)
	require.Equal(t, Code("SOMETHING_NEW"), fails(t, c.MovePaper(ctx, 1, 2), Refused).Code)
	_, err = c.GetTree(ctx)
	require.Equal(t, Failure, fails(t, err, Refused).Code)
}

// TestTreeIsNotKept checks that only the nodes of a tree, in either form, stay in memory.
func TestTreeIsNotKept(t *testing.T) {
	raw := bigTree(50_000)
	for name, body := range map[string]string{"raw": raw, "wrapped": wrap(raw)} {
		t.Run(name, func(t *testing.T) {
			_, c := serve(t, func(_ int, w http.ResponseWriter, _ *http.Request) { io.WriteString(w, body) })
			var before, after runtime.MemStats
			runtime.ReadMemStats(&before)
			count := 0
			require.NoError(t, c.GetAllPapers(context.Background(), 1, func(Node) error { count++; return nil }))
			runtime.ReadMemStats(&after)
			require.Greater(t, count, 50_000)
			require.Less(t, after.TotalAlloc-before.TotalAlloc, uint64(len(raw)/2+2<<20))
		})
	}
}
