package apitest

import (
	"compress/gzip"
	"encoding/json"
	"encoding/xml"
	"io"
	"net/http"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"paperfs/remote"
	"paperfs/remote/service"
	"paperfs/remote/service/kit/generate"
	"paperfs/remote/testrun"
)

const asJSON = "application/json"

// jsonAnswer is an answer as JSON, or a failure outside the envelope.
type jsonAnswer struct {
	Code    remote.Code
	Message *string
	Data    map[string]any
	Error   string
}

func (r reply) json(t tester) (a jsonAnswer) {
	t.Helper()
	require.Equal(t, asJSON, r.header.Get("Content-Type"), r.body)
	require.NoError(t, json.Unmarshal([]byte(r.body), &a), r.body)
	return a
}

// postJSON sends a body with headers to an operation.
func (s *server) postJSON(op *remote.Operation, body string, header ...string) reply {
	s.t.Helper()
	req := testrun.Must(http.NewRequest(http.MethodPost, s.http.URL+op.Path(), strings.NewReader(body)))(s.t)
	req.Header.Set("Content-Type", asJSON)
	req.Header.Set("Accept", asJSON)
	for i := 0; i < len(header); i += 2 {
		req.Header.Set(header[i], header[i+1])
	}
	return s.do(req)
}

// object returns parameters with this server's credentials as JSON.
func (s *server) object(op *remote.Operation, pairs ...string) string {
	object := map[string]string{op.Pair.Username: s.user, op.Pair.Password: s.key}
	for i := 0; i < len(pairs); i += 2 {
		object[pairs[i]] = pairs[i+1]
	}
	return string(testrun.Must(json.Marshal(object))(s.t))
}

// xmlNode is an element of any document.
type xmlNode struct {
	XMLName  xml.Name
	Attrs    []xml.Attr `xml:",any,attr"`
	Text     string     `xml:",chardata"`
	Children []xmlNode  `xml:",any"`
}

// leaves returns the texts of an element that are not empty, by path.
func (n xmlNode) leaves(path string, add func(path, text string)) {
	same := map[string]bool{}
	for _, c := range n.Children {
		same[c.XMLName.Local] = true
	}
	for _, a := range n.Attrs {
		name := a.Name.Local
		if same[name] {
			name = n.XMLName.Local + "-" + name
		}
		add(path+"/"+name, a.Value)
	}
	for _, c := range n.Children {
		c.leaves(path+"/"+c.XMLName.Local, add)
	}
	if len(n.Children) == 0 {
		if len(n.Attrs) > 0 {
			path += "/text"
		}
		add(path, strings.TrimSpace(n.Text))
	}
}

func leavesOf(v any, path string, add func(path, text string)) {
	switch v := v.(type) {
	case string:
		add(path, strings.TrimSpace(v))
	case []any:
		for _, one := range v {
			leavesOf(one, path, add)
		}
	case map[string]any:
		for name, one := range v {
			leavesOf(one, path+"/"+name, add)
		}
	}
}

// TestJSONIsTheSameAnswer calls every operation on two servers, and checks that JSON has what XML has.
func TestJSONIsTheSameAnswer(t *testing.T) {
	t.Parallel()
	inXML, inJSON := imported(t).at("papers.example"), imported(t).at("papers.example")
	for _, c := range successes {
		if c.op == remote.ReprocessPaper {
			continue // it would wait for a job
		}
		want := inXML.must(c.op, c.pairs...)
		r := inJSON.accepting(asJSON, c.op, c.pairs...)
		if c.op.Bulk == "" && !c.op.Changes { // once more, with the parameters as JSON
			again := inJSON.postJSON(c.op, inJSON.object(c.op, c.pairs...))
			require.Equal(t, http.StatusOK, again.status, again.body)
			if c.op != remote.CreatePreviewToken && c.op != remote.CreateSignInLink && c.op.Group != "Ripper" {
				require.Equal(t, r.body, again.body)
			}
		}
		require.Equal(t, http.StatusOK, r.status, r.body)
		require.Equal(t, []string{"Accept", "Accept-Encoding"}, r.header.Values("Vary"))
		require.Equal(t, remote.Success, r.json(t).Code, r.body)
		if c.op == remote.CreatePreviewToken || c.op.Offer != "" || c.op.Group == "Ripper" { // ids, versions and times are new each time
			continue
		}
		type leaf struct{ path, text string }
		var one, other []leaf
		inner := xmlNode{}
		require.NoError(t, xml.Unmarshal([]byte("<data>"+want.data+"</data>"), &inner))
		inner.leaves("", func(path, text string) {
			if text != "" {
				one = append(one, leaf{path, text})
			}
		})
		leavesOf(map[string]any(r.json(t).Data), "", func(path, text string) {
			if text != "" {
				other = append(other, leaf{path, text})
			}
		})
		require.ElementsMatch(t, one, other, c.op.Name)
		require.Equal(t, want.words, *r.json(t).Message)
	}
}

func TestJSONBodies(t *testing.T) {
	t.Parallel()
	s := imported(t)
	login := `{"plUsername":"` + s.user + `","plPassword":"` + s.key + `",`
	op := remote.GetPaperUrlFromID
	for body, want := range map[string]string{
		`"paperID":"3"}`:                        "SUCCESS",
		`"paperID":3}`:                          "SUCCESS",
		`"paperID":3,"no such parameter":true}`: "SUCCESS",
		`"PAPERID":3}`:                          "SUCCESS",
		`"paperID":3.0}`:                        "ERROR",
		`"paperID":"3\u0000"}`:                  "ERROR",
		`"paperID":null}`:                       "Missing parameter: paperID.",
		`"paperID":{"id":3}}`:                   "The request body is no JSON for an operation: paperID has more than one value in it: a parameter is text, a number, true or false.",
	} {
		r := s.postJSON(op, login+body)
		a := r.json(t)
		switch {
		case a.Error == "":
			require.Equal(t, want, string(a.Code), "%s: %s", body, r.body)
		case strings.HasPrefix(want, "Missing"):
			require.Equal(t, http.StatusInternalServerError, r.status)
			require.Equal(t, want, a.Error)
		default:
			require.Equal(t, http.StatusBadRequest, r.status)
			require.Equal(t, want, a.Error)
		}
	}
	good := s.object(op, "paperID", "3")
	require.Equal(t, "Request format is invalid: application/json.\r\n", s.postJSON(op, good, "Accept", "*/*").body, "without the header no JSON is taken")
	require.Equal(t, http.StatusUnsupportedMediaType, s.postJSON(op, good, "Content-Type", "application/json; charset=utf-16").status)
	require.Equal(t, http.StatusUnsupportedMediaType, s.postJSON(op, good, "Content-Encoding", "gzip").status)
	require.Equal(t, remote.Success, s.postJSON(op, good, "Content-Type", "Application/JSON; charset=UTF-8").json(t).Code)
	for _, upload := range []*remote.Operation{remote.UploadFile, remote.ProcessPDF} {
		r := s.postJSON(upload, s.object(upload, blank(upload)...))
		require.Equal(t, http.StatusInternalServerError, r.status)
		require.Equal(t, "Request format is invalid: application/json.", r.json(t).Error)
	}
	r := s.accepting(asJSON, remote.UploadFile, "parentID", "0", "name", "a", "base64File", "eA==")
	require.NotEmpty(t, r.json(t).Data["fileid"], "a form is, and its answer is JSON")

	req := testrun.Must(http.NewRequest(http.MethodGet, s.http.URL+op.Path()+"?"+s.credentials(op).Encode(), strings.NewReader(good)))(t)
	req.Header.Set("Content-Type", asJSON)
	req.Header.Set("Accept", asJSON)
	require.Equal(t, "Missing parameter: paperID.", s.do(req).json(t).Error, "a GET has its parameters in the address")
}

// TestAJSONBodyOfAStrangerIsBounded checks that JSON passes the bounds of forms.
func TestAJSONBodyOfAStrangerIsBounded(t *testing.T) {
	t.Parallel()
	s := start(t)
	long := strings.Repeat("x", 200<<10)
	op := remote.SetSetting
	r := s.postJSON(op, `{"value":"`+long+`","paperID":1,"setting":"x","plUsername":"`+s.user+`","plPassword":"`+s.key+`"}`)
	require.Equal(t, http.StatusRequestEntityTooLarge, r.status)
	require.Contains(t, r.json(t).Error, "Send the credentials before")
	r = s.postJSON(op, `{"plUsername":"`+s.user+`","plPassword":"`+s.key+`","value":"`+long+`","paperID":1,"setting":"x"}`)
	require.Equal(t, remote.Failure, r.json(t).Code, "after the credentials it is judged")
	s.awaitStrangers(0, 0)
}

func TestFailuresInJSON(t *testing.T) {
	t.Parallel()
	s := start(t, func(o *service.Options) { o.BodyLimit = 2000; o.BasePath = "base" })
	path := "/base" + remote.GetSettingDescriptions.Path()
	good := s.credentials(remote.GetSettingDescriptions).Encode()
	for _, c := range []struct {
		method, path, kind, body string
		status                   int
		words                    string
	}{
		{"POST", path, formKind, good, 200, ""},
		{"POST", path, formKind, "", 500, "Missing parameter: plUsername."},
		{"POST", path, "text/\"x\\", good, 500, `Request format is invalid: text/"x\.`},
		{"POST", path + "/", formKind, good, 500, "GetSettingDescriptions/ Web Service method name is not valid."},
		{"POST", path, formKind, good + "&x=" + strings.Repeat("x", 2000), 413, "The request body is larger than 2000 bytes."},
		{"POST", path, formKind + "; charset=latin1", good, 415, "The charset latin1 is not accepted: send UTF-8."},
		{"PUT", path, formKind, good, 405, "Only GET and POST."},
		{"GET", "/base/V2/Nothing.asmx/Nothing", "", "", 404, "There is nothing at this address."},
	} {
		req := testrun.Must(http.NewRequest(c.method, s.http.URL+c.path, strings.NewReader(c.body)))(t)
		req.Header.Set("Content-Type", c.kind)
		req.Header.Set("Accept", asJSON)
		r := s.do(req)
		require.Equal(t, c.status, r.status, "%s: %s", c.path, r.body)
		require.Equal(t, c.words, r.json(t).Error)
		require.Contains(t, r.header.Values("Vary"), "Accept")
	}
	r := s.visit("/base/V2/Paper.asmx")
	require.Equal(t, "text/html; charset=utf-8", r.header.Get("Content-Type"), "what is no operation stays as it is")
}

func TestTooManyRequestsInJSON(t *testing.T) {
	t.Parallel()
	s := start(t, func(o *service.Options) { o.RPM = 1 })
	require.Equal(t, http.StatusOK, s.accepting(asJSON, remote.GetSettingDescriptions).status)
	r := s.accepting(asJSON, remote.GetSettingDescriptions)
	require.Equal(t, http.StatusTooManyRequests, r.status)
	require.NotEmpty(t, r.json(t).Error)
	require.NotEmpty(t, r.header.Get("Retry-After"))
}

// TestJSONOfFailures checks the data of failures.
func TestJSONOfFailures(t *testing.T) {
	t.Parallel()
	s := imported(t)
	orders := s.accepting(asJSON, remote.GetLicenseOrdersByType, "checkoutType", "x").json(t)
	require.Equal(t, remote.UnsupportedCheckoutType, orders.Code)
	require.Contains(t, orders.Data["text"], `has to be one of "", "CheckoutBy`)
	s.upload("0", "f", "x")
	conflict := s.accepting(asJSON, remote.DeleteFile, "fileID", "1", "ifVersion", "7").json(t)
	require.Equal(t, remote.VersionConflict, conflict.Code)
	require.Equal(t, "1", conflict.Data["current"].(map[string]any)["id"])
	gone := s.postJSON(remote.MoveFile, s.object(remote.MoveFile, "fileID", "99", "parentID", "0", "name", "x", "ifVersion", "7")).json(t)
	require.Equal(t, map[string]any{"current": map[string]any{}}, gone.Data)
	field := s.accepting(asJSON, remote.SetMultipleCustomFieldValues, "paperID", "3", "fieldsXml", `<fields><field name="None">x</field></fields>`).json(t)
	require.Equal(t, map[string]any{"field": map[string]any{"name": "None"}}, field.Data)
	wrong := s.as(s.user, "wrong").accepting(asJSON, remote.GetAllPapers, "paperID", "1").json(t)
	require.Equal(t, remote.LoginSecurityViolation, wrong.Code)
	require.Nil(t, wrong.Data)
	none := s.accepting(asJSON, remote.GetPaperIDFromUrl, "url", "/none/").json(t)
	require.Equal(t, remote.Success, none.Code)
	require.Nil(t, none.Data)
	empty := start(t).accepting(asJSON, remote.GetTree).json(t)
	require.Equal(t, map[string]any{"directory": []any{}, "file": []any{}}, empty.Data)
}

// TestTreesInJSON checks validators, the cache and compression of a large answer in both forms.
func TestTreesInJSON(t *testing.T) {
	t.Parallel()
	s := start(t)
	s.place().Generate(s.t, generate.Spec{Papers: 1000, Categories: 10, Depth: 2, Seed: 1}) // enough for the file of an answer
	for _, op := range []*remote.Operation{remote.GetAllPapers, remote.GetTree} {
		inXML, inJSON := s.tagged(http.MethodGet, op, ""), s.tagged(http.MethodGet, op, "", "Accept", asJSON)
		one, other := inXML.header.Get("ETag"), inJSON.header.Get("ETag")
		require.NotEqual(t, one, other)
		for range 2 { // made, and cached
			require.Equal(t, inXML.body, s.tagged(http.MethodPost, op, "").body)
			require.Equal(t, inJSON.body, s.tagged(http.MethodPost, op, "", "Accept", asJSON).body)
		}
		r := s.tagged(http.MethodGet, op, other, "Accept", asJSON)
		require.Equal(t, http.StatusNotModified, r.status)
		require.Equal(t, other, r.header.Get("ETag"))
		require.Contains(t, r.header.Values("Vary"), "Accept")
		require.Equal(t, inXML.body, s.tagged(http.MethodGet, op, other).body, "the tag of one form is not that of the other")
		require.Equal(t, inJSON.body, s.tagged(http.MethodGet, op, one, "Accept", asJSON).body)
		r = s.tagged(http.MethodPost, op, other, "Accept", asJSON, "Prefer", "unchanged=412")
		require.Equal(t, http.StatusPreconditionFailed, r.status)
		require.Equal(t, "The tree has not changed.", r.json(t).Error)
		require.Equal(t, remote.LoginSecurityViolation, s.as(s.user, "wrong").tagged(http.MethodGet, op, other, "Accept", asJSON).json(t).Code)
		packed := s.tagged(http.MethodGet, op, "", "Accept", asJSON, "Accept-Encoding", "gzip")
		if packed.header.Get("Content-Encoding") == "gzip" {
			z := testrun.Must(gzip.NewReader(strings.NewReader(packed.body)))(t)
			text := testrun.Must(io.ReadAll(z))(t)
			require.Equal(t, inJSON.body, string(text))
		} else {
			require.Equal(t, remote.GetTree, op, "it is small")
		}
	}
	text := s.tagged(http.MethodGet, remote.GetAllPapers, "", "Accept", asJSON).body
	require.Equal(t, strings.Count(s.tree(), ` id="`), strings.Count(text, `"id":"`))
	versions := s.tagged(http.MethodGet, remote.GetAllPapers, "", "Accept", asJSON, "Prefer", "paperfs-version")
	require.Contains(t, versions.body, `"edition":"`)
}

// TestContentIsNoJSON checks that GetContent answers with bytes whatever the client prefers, and with JSON if it fails.
func TestContentIsNoJSON(t *testing.T) {
	t.Parallel()
	s := start(t)
	s.upload("0", "f", "bytes")
	r := s.postJSON(remote.GetContent, s.object(remote.GetContent, "fileID", "1"))
	require.Equal(t, "application/octet-stream", r.header.Get("Content-Type"))
	require.Equal(t, "bytes", r.body)
	require.Equal(t, remote.Failure, s.postJSON(remote.GetContent, s.object(remote.GetContent, "fileID", "2")).json(t).Code)
}

func TestEventsInJSON(t *testing.T) {
	t.Parallel()
	s := start(t)
	next := func(after string) map[string]any {
		r := s.postJSON(remote.Wait, s.object(remote.Wait, "after", after, "seconds", "55"))
		return r.json(t).Data["events"].(map[string]any)
	}
	begin := next("")
	require.Equal(t, []any{}, begin["event"])
	require.Equal(t, []any{}, begin["tree"])
	s.upload("0", "f", "bytes")
	news := next(begin["next"].(string))
	require.Equal(t, "f", news["event"].([]any)[0].(map[string]any)["name"])
	require.Equal(t, "true", next("lost")["lost"])
	require.Len(t, next("lost")["tree"], 2)
}
