package apitest

import (
	"log/slog"
	"net/http"
	"net/netip"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"paperfs/remote"
	"paperfs/remote/service"
	"paperfs/remote/testrun"
)

// TestForwardedHeaders checks that the headers of trusted proxies decide on previews, addresses,
// tenants and the log, and that those of other peers do not.
func TestForwardedHeaders(t *testing.T) {
	t.Parallel()
	var log logBuffer
	trusted := []netip.Prefix{netip.MustParsePrefix("127.0.0.0/8"), netip.MustParsePrefix("10.0.0.0/8")}
	s := start(t, func(o *service.Options) {
		o.TrustedProxies = trusted
		o.Log = slog.New(slog.NewTextHandler(&log, nil))
	})
	s.upload("0", "a", "x")
	paper := s.paper(s.root(), "paper")
	s.must(remote.SetPublicationPeriod, "paperID", paper, "from", "2020-01-01", "to", "2021-01-01")
	token := s.must(remote.CreatePreviewToken, "paperID", paper, "validityMinutes", "60", "ip", "203.0.113.7").element(t, "token")
	own := strings.TrimPrefix(s.http.URL, "http://")
	for _, c := range []struct {
		headers []string
		client  string // "" for the peer itself
		begins  string // how addresses begin
	}{
		{nil, "", "http://" + own},
		{[]string{"X-Forwarded-For", "203.0.113.7"}, "203.0.113.7", "http://" + own},
		{[]string{"X-Forwarded-For", "203.0.113.7", "X-Forwarded-Proto", "https", "X-Forwarded-Host", "papers.example:8443"}, "203.0.113.7", "https://papers.example:8443"},
		{[]string{"X-Forwarded-For", "1.1.1.1, 203.0.113.7, 10.1.1.1"}, "203.0.113.7", "http://" + own},
		{[]string{"X-Forwarded-For", "203.0.113.7, 9.9.9.9"}, "9.9.9.9", "http://" + own},
		{[]string{"X-Forwarded-For", "203.0.113.7, 10.0.0.1", "X-Forwarded-Proto", "https, http", "X-Forwarded-Host", "papers.example, inner"}, "203.0.113.7", "https://papers.example"},
		{[]string{"X-Forwarded-For", "203.0.113.7, unknown"}, "unknown", "http://" + own},
		{[]string{"X-Forwarded-For", `", 9.9.9.9`, "X-Forwarded-Proto", "https"}, "9.9.9.9", "https://" + own},
		{[]string{"X-Forwarded-For", `"`, "X-Forwarded-For", "9.9.9.9", "X-Forwarded-Proto", "https"}, "9.9.9.9", "https://" + own},
		{[]string{"X-Forwarded-For", "9.9.9.9", "X-Forwarded-For", `"`, "X-Forwarded-For", "203.0.113.7"}, "203.0.113.7", "http://" + own},
		{[]string{"X-Forwarded-For", `"`, "X-Forwarded-Proto", "https"}, "unknown", "https://" + own},
		{[]string{"X-Forwarded-For", `203.0.113.7, ", 10.1.1.1`, "X-Forwarded-Proto", "https"}, "unknown", "https://" + own},
		{[]string{"Forwarded", `for=203.0.113.7;host=", for=9.9.9.9;proto=https`}, "9.9.9.9", "https://" + own},
		{[]string{"Forwarded", `for=", for="[2001:db8::7]";proto=https`}, "2001:db8::7", "https://" + own},
		{[]string{"Forwarded", `for=", for=10.0.0.1;proto=https`}, "unknown", "https://" + own},
		{[]string{"Forwarded", `for=9.9.9.9;proto=https;host="x\",for=203.0.113.7;y=\""`}, "9.9.9.9", "https://" + own},
		{[]string{"Forwarded", ","}, "unknown", "http://" + own},
		{[]string{"Forwarded", ""}, "unknown", "http://" + own},
		{[]string{"X-Forwarded-For", " , ", "X-Forwarded-Proto", "https"}, "unknown", "http://" + own},
		{[]string{"Forwarded", ",", "X-Forwarded-For", "203.0.113.7"}, "203.0.113.7", "http://" + own},
		{[]string{"X-Forwarded-Proto", "https"}, "", "http://" + own},
		{[]string{"X-Forwarded-For", "::ffff:203.0.113.7"}, "203.0.113.7", "http://" + own},
		{[]string{"X-Forwarded-For", "203.0.113.7", "X-Forwarded-Proto", "javascript", "X-Forwarded-Host", "a/b<c>"}, "203.0.113.7", "http://" + own},
		{[]string{"Forwarded", `for=203.0.113.7;proto=https;host="papers.example"`}, "203.0.113.7", "https://papers.example"},
		{[]string{"Forwarded", `for="[2001:db8::7]:4711";proto=http, for=10.0.0.1`}, "2001:db8::7", "http://" + own},
		{[]string{"Forwarded", `For=203.0.113.7;Host="a.example", for="_hidden"`}, "unknown", "http://" + own},
		{[]string{"Forwarded", "for=203.0.113.7;host=evil.example", "X-Forwarded-For", "9.9.9.9"}, "unknown", "http://" + own},
		{[]string{"Forwarded", "for=203.0.113.7;host=a.example", "X-Forwarded-For", "203.0.113.7"}, "203.0.113.7", "http://a.example"},
	} {
		get := func(path string) reply {
			req := testrun.Must(http.NewRequest(http.MethodGet, s.http.URL+path, nil))(t)
			for i := 0; i < len(c.headers); i += 2 {
				req.Header.Add(c.headers[i], c.headers[i+1])
			}
			return s.do(req)
		}
		address := get(remote.GetTree.Path()+"?"+s.credentials(remote.GetTree).Encode()).attribute(t, "url")
		require.True(t, strings.HasPrefix(address, c.begins+"/media/"), "%v: %s", c.headers, address)
		want := http.StatusUnauthorized
		if c.client == "203.0.113.7" {
			want = http.StatusOK
		}
		require.Equal(t, want, get("/paper/?SecurityToken="+token).status, c.headers)
		lines := strings.Split(strings.TrimSpace(log.String()), "\n")
		if c.client == "" {
			c.client = "127.0.0.1"
		}
		require.Contains(t, strings.ReplaceAll(lines[len(lines)-1], `"`, ""), "from="+bracketed(c.client)+":")
	}
	// The same from an untrusted peer.
	s.close()
	s.options.TrustedProxies = trusted[1:]
	s.open()
	req := testrun.Must(http.NewRequest(http.MethodGet, s.http.URL+"/paper/?SecurityToken="+token, nil))(t)
	req.Header.Set("X-Forwarded-For", "203.0.113.7")
	require.Equal(t, http.StatusUnauthorized, s.do(req).status)
}

func bracketed(address string) string {
	if strings.Contains(address, ":") {
		return "[" + address + "]"
	}
	return address
}

// TestAKeyInThePathIsNotTold checks that a query that ended up in the path appears neither in the
// log nor in the answer.
func TestAKeyInThePathIsNotTold(t *testing.T) {
	t.Parallel()
	var log logBuffer
	s := start(t, func(o *service.Options) { o.Log = slog.New(slog.NewTextHandler(&log, nil)) })
	const call = "/V2/Paper.asmx/GetPaperIDFromUrl"
	for _, sign := range []string{"%3F", "%3f", "%253F", "&", "%26", "%2526", ";", "%3B", "=", "%0A", "%00", "%C2%85"} {
		for _, method := range []string{http.MethodGet, http.MethodPost} {
			for _, path := range []string{call, "/page"} {
				req := testrun.Must(http.NewRequest(method, s.http.URL+path+sign+"plUsername=x"+sign+"plPassword=KEY", nil))(t)
				r := s.do(req)
				require.NotEqual(t, http.StatusOK, r.status)
				require.NotContains(t, r.body, "KEY", sign)
			}
		}
	}
	r := s.get(s.http.URL + "/V2/Paper.asmx/" + strings.Repeat("x", 50_000))
	require.Equal(t, http.StatusInternalServerError, r.status)
	require.Less(t, len(r.body), 200)
	require.Contains(t, log.String(), "path="+call+" ")
	require.Contains(t, log.String(), "path=/page ")
	require.NotContains(t, log.String(), "KEY")
	require.NotContains(t, log.String(), strings.Repeat("x", 1000))
}
