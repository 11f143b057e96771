package apitest

import (
	"io"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"paperfs/remote"
	"paperfs/remote/service"
	"paperfs/remote/testrun"
)

// offered returns the operations that the service offers.
func offered() []*remote.Operation {
	return slices.DeleteFunc(slices.Clone(remote.Operations), func(op *remote.Operation) bool { return !op.Served })
}

// blank returns an operation's parameters, all empty.
func blank(op *remote.Operation) []string {
	var pairs []string
	for _, name := range op.Params {
		pairs = append(pairs, name, "")
	}
	return pairs
}

func TestPresenceOfParameters(t *testing.T) {
	t.Parallel()
	s := start(t)
	for _, op := range offered() {
		form := s.credentials(op)
		for name, values := range params(blank(op)...) {
			form[name] = values
		}
		names := append([]string{op.Pair.Username, op.Pair.Password}, op.Params...)
		for _, method := range []string{http.MethodGet, http.MethodPost} {
			for i := len(names) - 1; i >= 0; i-- { // leave out each one and all after it: the answer names the first
				form.Del(names[i])
				if i > 1 && slices.Contains(op.Optional, names[i]) {
					continue
				}
				r := s.send(method, op.Path(), form)
				require.Equal(t, http.StatusInternalServerError, r.status, "%s without %s", op.Name, names[i])
				require.Equal(t, "Missing parameter: "+names[i]+".\r\n", r.body)
				require.Equal(t, "text/plain; charset=utf-8", r.header.Get("Content-Type"))
			}
			form = s.credentials(op)
			for name, values := range params(blank(op)...) {
				form[name] = values
			}
		}
	}
}

func TestCredentialPairs(t *testing.T) {
	t.Parallel()
	s := start(t)
	for _, op := range offered() {
		other := remote.PL
		if op.Pair == remote.PL {
			other = remote.Plain
		}
		form := params(blank(op)...)
		form.Set(other.Username, s.user)
		form.Set(other.Password, s.key)
		r := s.send(http.MethodPost, op.Path(), form)
		if op.Extended { // accepts both names of the credentials
			require.Equal(t, http.StatusOK, r.status, op.Name)
			require.NotEqual(t, remote.LoginSecurityViolation, r.code, op.Name)
			continue
		}
		require.Equal(t, "Missing parameter: "+op.Pair.Username+".\r\n", r.body, op.Name)
	}
}

func TestWrongCredentials(t *testing.T) {
	t.Parallel()
	s := start(t)
	for _, op := range offered() {
		wrong := s.as(s.user, s.key+"x").fails(remote.LoginSecurityViolation, op, blank(op)...)
		for _, other := range []*server{s.as("nobody", s.key), s.as("", ""), s.as(strings.ToLower(s.user), s.key), s.as(s.user, ""), s.as(s.user, " "+s.key)} {
			require.Equal(t, wrong.body, other.call(op, blank(op)...).body, op.Name)
		}
		require.NotContains(t, wrong.body, s.key)
	}
}

func TestParameterSpelling(t *testing.T) {
	t.Parallel()
	s := start(t)
	path := remote.GetPaperUrlFromID.Path()
	get := func(query string) reply { return s.send(http.MethodPost, path, mustParse(t, query)) }
	login := "plUsername=" + s.user + "&plPassword=" + s.key
	for query, code := range map[string]remote.Code{
		login + "&paperID=1":                                           remote.Success,
		login + "&PAPERID=1":                                           remote.Success,
		login + "&paperID=1&PAPERID=2":                                 remote.Success, // only the exact spelling counts
		login + "&paperID=1&paperID=2":                                 remote.Failure, // "1,2"
		login + "&paperID=1&unknown=x&username=y":                      remote.Success,
		login + "&plPassword=x&paperID=1":                              remote.LoginSecurityViolation,
		"paperID=1&" + login:                                           remote.Success,
		"PLUSERNAME=" + s.user + "&plPassword=" + s.key + "&paperID=1": remote.Success,
	} {
		require.Equal(t, code, get(query).code, query)
	}
	// A POST ignores the query; a GET ignores the body.
	require.Contains(t, s.send(http.MethodPost, path+"?"+login+"&paperID=1", url.Values{}).body, "Missing parameter: plUsername.")
	req := testrun.Must(http.NewRequest(http.MethodGet, s.http.URL+path, strings.NewReader(login+"&paperID=1")))(t)
	req.Header.Set("Content-Type", "application/x-www-form-urlencoded")
	require.Contains(t, s.do(req).body, "Missing parameter: plUsername.")
}

func mustParse(t *testing.T, query string) url.Values {
	return testrun.Must(url.ParseQuery(query))(t)
}

func TestHTTPFailures(t *testing.T) {
	t.Parallel()
	s := start(t)
	good := s.credentials(remote.GetSettingDescriptions)
	path := remote.GetSettingDescriptions.Path()
	unknown := func(name string) string { return name + " Web Service method name is not valid.\r\n" }
	for _, c := range []struct {
		method, path, kind string
		status             int
		body               string // "" = not compared
	}{
		{"POST", "/v2/paper.ASMX/GetSettingDescriptions", "Application/X-WWW-Form-URLEncoded; charset=utf-8", 200, ""},
		{"POST", "/V2/Paper.asmx/getSettingDescriptions", "", 500, unknown("getSettingDescriptions")},
		{"POST", path + "/", "", 500, unknown("GetSettingDescriptions/")},
		{"GET", "/V2/Search.asmx/GetSettingDescriptions", "", 500, unknown("GetSettingDescriptions")},
		{"POST", "/V2/Image.asmx/GetImageWith2PxDropShadow", "", 500, unknown("GetImageWith2PxDropShadow")},
		{"POST", "/V2/Client.asmx/AddModule", "", 404, ""},
		{"POST", "/V2/Paper/GetSettingDescriptions", "", 404, ""},
		{"POST", "/Paper.asmx/GetSettingDescriptions", "", 404, ""}, {"POST", "/", "", 404, ""}, {"POST", "/media/1/x", "", 404, ""}, {"POST", "/x/Image.ashx", "", 404, ""},
		{"POST", "//V2/Paper.asmx/GetSettingDescriptions", "", 200, ""}, {"POST", "///V2/Paper.asmx/getSettingDescriptions", "", 500, unknown("getSettingDescriptions")},
		{"GET", "//evil.example/V2/", "", 404, ""},
		{"GET", "/Paper.asmx/GetSettingDescriptions", "", 404, ""},
		{"GET", "/V2/", "", 404, ""},
		{"PUT", path, "", 405, ""}, {"DELETE", path, "", 405, ""}, {"PATCH", path, "", 405, ""}, {"HEAD", path, "", 405, ""}, {"OPTIONS", path, "", 405, ""},
		{"PUT", "/V2/Nothing.asmx/Nothing", "", 405, ""}, // the method is checked first
		{"POST", path, "application/json", 500, "Request format is invalid: application/json.\r\n"},
		{"POST", path, "multipart/form-data; boundary=x", 500, "Request format is invalid: multipart/form-data; boundary=x.\r\n"},
		{"POST", path, "none", 500, "Request format is invalid: .\r\n"},
		{"POST", "/V2/Paper.asmx/Nothing", "application/json", 500, unknown("Nothing")}, // the operation is checked before the content type
	} {
		req := testrun.Must(http.NewRequest(c.method, s.http.URL+c.path, strings.NewReader(good.Encode())))(t)
		switch c.kind {
		case "":
			req.Header.Set("Content-Type", "application/x-www-form-urlencoded")
		case "none":
		default:
			req.Header.Set("Content-Type", c.kind)
		}
		r := s.do(req)
		require.Equal(t, c.status, r.status, "%s %s: %s", c.method, c.path, r.body)
		switch c.status {
		case 500:
			require.Equal(t, c.body, r.body)
			require.Equal(t, "text/plain; charset=utf-8", r.header.Get("Content-Type"))
		case 404:
			require.Contains(t, r.header.Get("Content-Type"), "text/html")
		case 405:
			require.Equal(t, "GET, POST", r.header.Get("Allow"))
		}
	}
}

func TestBodies(t *testing.T) {
	t.Parallel()
	s := start(t, func(o *service.Options) { o.BodyLimit = 2000 })
	post := func(body io.Reader, header ...string) reply {
		req := testrun.Must(http.NewRequest(http.MethodPost, s.http.URL+remote.GetSettingDescriptions.Path(), body))(t)
		for i := 0; i < len(header); i += 2 {
			req.Header.Add(header[i], header[i+1])
		}
		if req.Header["Content-Type"] == nil {
			req.Header.Set("Content-Type", "application/x-www-form-urlencoded")
		}
		return s.do(req)
	}
	good := s.credentials(remote.GetSettingDescriptions).Encode()
	long := good + "&x=" + strings.Repeat("x", 2000)
	require.Equal(t, http.StatusRequestEntityTooLarge, post(strings.NewReader(long)).status)
	require.Equal(t, http.StatusRequestEntityTooLarge, post(io.MultiReader(strings.NewReader(long))).status, "chunked")
	require.Equal(t, remote.Success, post(io.MultiReader(strings.NewReader(good))).code, "chunked")
	require.Equal(t, remote.Success, post(strings.NewReader(good), "Content-Encoding", "identity", "Expect", "100-continue").code)
	require.Equal(t, http.StatusUnsupportedMediaType, post(strings.NewReader(good), "Content-Encoding", "gzip").status)
	require.Equal(t, http.StatusUnsupportedMediaType, post(strings.NewReader(good), "Content-Encoding", "identity", "Content-Encoding", "gzip").status, "Content-Encoding in two lines")
	r := post(strings.NewReader(""), "Content-Type", "")
	require.Equal(t, "Missing parameter: plUsername.\r\n", r.body, "without a body, no content type is needed")
	r = post(strings.NewReader(good))
	require.Equal(t, "private, max-age=0", r.header.Get("Cache-Control"))
}

// TestLongestAddress checks that one limit applies to the length of a GET.
func TestLongestAddress(t *testing.T) {
	t.Parallel()
	s := start(t)
	path := remote.GetSettingDescriptions.Path()
	query := s.credentials(remote.GetSettingDescriptions).Encode() + "&x="
	query += strings.Repeat("x", service.MaxAddress-len(path+"?"+query))
	require.Equal(t, remote.Success, s.visitAPI(path+"?"+query).code)
	r := s.visitAPI(path + "?" + query + "x")
	require.Equal(t, http.StatusRequestURITooLong, r.status)
	require.Contains(t, r.body, "65536 bytes: send a form by POST")
}

// visitAPI sends a GET to an address as written.
func (s *server) visitAPI(path string) reply {
	s.t.Helper()
	req := testrun.Must(http.NewRequest(http.MethodGet, s.http.URL+path, nil))(s.t)
	return s.do(req)
}

func TestOptions(t *testing.T) {
	t.Parallel()
	t.Run("loopback only", func(t *testing.T) {
		s := start(t, func(o *service.Options) { o.LoopbackOnly = true })
		for host, status := range map[string]int{"localhost": 200, "LOCALHOST:80": 200, "127.0.0.1:1": 200, "[::1]:8": 200, "evil.example": 421, "127.0.0.1.evil.example:80": 421} {
			require.Equal(t, status, s.at(host).call(remote.GetSettingDescriptions).status, host)
		}
	})
	t.Run("no extended", func(t *testing.T) {
		s := start(t, func(o *service.Options) { o.NoExtended = true })
		for _, op := range offered() {
			r := s.call(op, blank(op)...)
			require.Equal(t, op.Extended, strings.Contains(r.body, "method name is not valid"), op.Name)
		}
	})
	t.Run("raw tree", func(t *testing.T) {
		s := start(t, func(o *service.Options) { o.RawTree = true })
		require.Contains(t, s.must(remote.GetAllPapers, "paperID", s.root()).body, "\n<result>")
	})
	t.Run("wrapped tree", func(t *testing.T) {
		s := start(t, func(o *service.Options) { o.Namespace = "http://example/?a&b" })
		require.Contains(t, s.must(remote.GetAllPapers, "paperID", s.root()).body, "\n"+`<string xmlns="http://example/?a&amp;b">&lt;?xml version="1.0" encoding="utf-8"?&gt;`)
		require.Contains(t, s.fails(remote.Failure, remote.GetAllPapers, "paperID", "0").body, "<string xmlns=")
		require.NotContains(t, s.must(remote.GetSettingDescriptions).body, "<string")
	})
	t.Run("strict codes", func(t *testing.T) {
		s := start(t, func(o *service.Options) { o.StrictCodes = true })
		s.fails(remote.Failure, remote.GetAllPapers, "paperID", "999")
		s.fails(remote.PaperDoesNotExist, remote.GetPaperUrlFromID, "paperID", "999")
		s.as(s.user, "x").fails(remote.Failure, remote.GetAllPapers, "paperID", "1")
		s.as(s.user, "x").fails(remote.LoginSecurityViolation, remote.GetTree)
	})
	t.Run("base path", func(t *testing.T) {
		s := start(t, func(o *service.Options) { o.BasePath = "api/x/" })
		require.Equal(t, http.StatusNotFound, s.call(remote.GetSettingDescriptions).status)
		url := s.http.URL
		s.http.URL += "/api/x"
		s.must(remote.UploadFile, "parentID", "0", "name", "a", "base64File", "aGk=")
		address := s.must(remote.GetTree).attribute(t, "url")
		require.True(t, strings.HasPrefix(address, url+"/api/x/media/"), address)
		resp := testrun.Must(http.Get(address))(t)
		resp.Body.Close()
		require.Equal(t, http.StatusOK, resp.StatusCode)
	})
}
