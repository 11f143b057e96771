package apitest

import (
	"bufio"
	"fmt"
	"io"
	"log/slog"
	"net/http"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"paperfs/remote"
	"paperfs/remote/service"
	"paperfs/remote/service/kit/pdftest"
	"paperfs/remote/testrun"
)

// hostileValues are percent-encoded parameter values that no page of the reader sends.
var hostileValues = []string{
	"", "%00", "a%00b", "%ff", "%c3", "%ed%a0%80", "%ef%bf%bf", "..", "../..", "..%2f..%2fetc%2fpasswd", "%5c", "*", "%25_%5f", "-1", "0", "+1", "1.5", "1e9", "0x10", "NaN",
	"2147483647", "2147483648", "-9223372036854775808", "9223372036854775807", "99999999999999999999999", "%", "%zz", "%u0041", "a;b", "'%20OR%201=1--", "%22%3e%3cscript%3ealert(1)%3c/script%3e",
	"{{.}}", "%0d%0aSet-Cookie:%20a=b", "%e2%80%ae", "%ef%bb%bf", "Normal", "text", "8e0c2a44-6c5e-4c6a-9f0b-0f6b9b0e7a11",
	strings.Repeat("a", 60_000), strings.Repeat("%00", 20_000), strings.Repeat("%20", 20_000), strings.Repeat("%F0%9F%98%80", 5_000), strings.Repeat("-a", 30_000), strings.Repeat("9", 60_000),
}

var readersParameters = []string{"Page", "View", "ForceLanguage", "HideNavigationBars", "GoToFirstSearchResult", "GoToAndHighlightFirstSearchResult", "Highlight", "SecurityToken", "PageID", "ImageType", "Expires", "Signature", "other"}

// bytes sends raw bytes, and returns the response and its body.
func (s *server) bytes(method, text string) (*http.Response, string) {
	s.t.Helper()
	conn := s.dial()
	defer conn.Close()
	go func() { _, _ = io.WriteString(conn, text) }() // the answer may come before all is sent
	r, err := http.ReadResponse(bufio.NewReader(conn), &http.Request{Method: method})
	require.NoError(s.t, err, "%.200q", text)
	defer r.Body.Close()
	body, err := io.ReadAll(r.Body)
	require.NoError(s.t, err, "%.200q", text)
	return r, string(body)
}

func request(method, target string, header ...string) string {
	return method + " " + target + " HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n" + strings.Join(append(header, "\r\n"), "\r\n")
}

// hostile returns a server with a paper at /one/, an address of each kind, and the log.
func hostile(t *testing.T) (s *server, at map[string]string, log *logBuffer) {
	t.Helper()
	log = &logBuffer{}
	s = start(t, func(o *service.Options) { o.Log = slog.New(slog.NewTextHandler(log, nil)) })
	one := s.paper(s.root(), "one")
	s.process(one, pdftest.Text("first & foremost", "second"), "")
	s.must(remote.SetSetting, "paperID", one, "setting", "checkout", "value", "CheckoutByPrint")
	t.Cleanup(func() {
		require.NotContains(t, log.String(), "level=ERROR")
		require.NotContains(t, log.String(), "panic")
	})
	return s, everyAddress(t, s, one, "/one/"), log
}

// TestHostileParameters checks that every address of a reader answers, with no server error,
// whatever the parameters, and that no value becomes markup or a header. Each value comes in each parameter, at about a third
// of the addresses; in a short run each value comes to each address, but in one parameter.
func TestHostileParameters(t *testing.T) {
	t.Parallel()
	s, at, _ := hostile(t)
	look := func(target string) {
		t.Helper()
		r, body := s.bytes("GET", request("GET", target))
		require.Less(t, r.StatusCode, 500, "%.200s", target)
		require.Empty(t, r.Header.Get("Set-Cookie"), "%.200s", target)
		require.NotContains(t, body, "<script>alert", "%.200s", target)
	}
	every := len(readersParameters)
	if testrun.All() {
		every = 3
	}
	for _, target := range at {
		path, query, _ := strings.Cut(target, "?")
		if strings.HasPrefix(path, "/media/") || strings.HasPrefix(path, "/reader/") {
			continue // media files and assets have no parameters
		}
		for i, name := range readersParameters {
			for j, value := range hostileValues {
				if (i+j+len(path))%every != 0 {
					continue
				}
				look(path + "?" + name + "=" + value)
				if query != "" {
					look(path + "?" + name + "=" + value + "&" + query)
				}
			}
			look(path + "?" + strings.Repeat(name+"=2&", 5_000))
		}
	}
	for _, path := range []string{"/one/../one/", "/one/%2e%2e/", "/one%2f", "/one/%00/", "/%ff/", "/one//", "//one/", "/one/" + strings.Repeat("a/", 30_000), "/reader/../one/", "/reader/%2e%2e%2fone",
		"/media/../one/", "/media/-1/x", "/media/99999999999999999999/x", "/media/1/%00", "/media//", "/one/Image.ashx/", "/one/image.ASHX?pageid=1", "/%e2%80%ae/", "http://other.example/one/", "/one/?%", "/one/?&&&=&=x"} {
		look(path)
	}
}

// TestHostileRequests checks that odd methods, headers and bodies get an answer, and no server
// error.
func TestHostileRequests(t *testing.T) {
	t.Parallel()
	s, at, _ := hostile(t)
	chunks := "Transfer-Encoding: chunked"
	chunked := fmt.Sprintf("%x\r\n%s\r\n", 5_000, strings.Repeat("x", 5_000))
	for what, target := range at {
		for _, method := range []string{"OPTIONS", "POST", "PUT", "DELETE", "PATCH", "TRACE", "PROPFIND", "get"} {
			r, _ := s.bytes(method, request(method, target, "Content-Type: text/xml", "Content-Length: 3")+"abc")
			require.Equal(t, http.StatusMethodNotAllowed, r.StatusCode, "%s %s", method, what)
			require.Equal(t, "GET, HEAD", r.Header.Get("Allow"))
		}
		whole, _ := s.bytes("GET", request("GET", target))
		for name, text := range map[string]string{
			"HEAD":             request("HEAD", target),
			"GET with a body":  request("GET", target, "Content-Length: 5") + "abcde",
			"GET with chunks":  request("GET", target, chunks) + chunked + "0\r\n\r\n",
			"HEAD with chunks": request("HEAD", target, chunks) + chunked + "0\r\n\r\n",
			"tags":             request("GET", target, "If-None-Match: "+strings.Repeat(`"x",W/"y",,  `, 3_000)),
			"no tags":          request("GET", target, `If-None-Match: ","`, `If-Match: *`, `If-Range: x`, "If-Modified-Since: never", "If-Unmodified-Since: 0"),
			"codings":          request("GET", target, "Accept-Encoding: "+strings.Repeat("gzip;q=x,", 3_000)),
		} {
			method, _, _ := strings.Cut(text, " ")
			r, _ := s.bytes(method, text)
			require.Equal(t, http.StatusOK, r.StatusCode, "%s of %s", name, what)
			require.Equal(t, whole.Header.Get("Content-Type"), r.Header.Get("Content-Type"), "%s of %s", name, what)
		}
	}
	for _, file := range []string{"Order.ashx", "Hit.ashx"} {
		r, _ := s.bytes("GET", request("GET", "/one/"+file))
		require.Equal(t, http.StatusMethodNotAllowed, r.StatusCode)
		for _, kind := range []string{"", "Content-Type: text/xml", "Content-Type: multipart/form-data", "Content-Type: /;;;", "Content-Type: application/json"} {
			r, _ := s.bytes("POST", request("POST", "/one/"+file, "Origin: http://localhost", "Content-Length: 3", kind)+"a=b")
			require.Equal(t, http.StatusUnsupportedMediaType, r.StatusCode, "%s %s", file, kind)
		}
		form := "Content-Type: application/x-www-form-urlencoded"
		r, _ = s.bytes("POST", request("POST", "/one/"+file, "Origin: http://localhost", form, chunks)+strings.Repeat(chunked, 10)+"0\r\n\r\n")
		require.Equal(t, http.StatusRequestEntityTooLarge, r.StatusCode)
		for _, name := range []string{"pages", "new", "checkoutType", "key", "productId", "amount", "price"} {
			for _, value := range hostileValues {
				for _, rest := range []string{"", "&productId=a&amount=1&price=1&checkoutType=CheckoutByPrint&key=8e0c2a44-6c5e-4c6a-9f0b-0f6b9b0e7a11"} {
					body := name + "=" + value + strings.Replace(rest, "&"+name+"=", "&other=", 1)
					r, _ := s.bytes("POST", request("POST", "/one/"+file, form, "Origin: http://localhost", fmt.Sprintf("Content-Length: %d", len(body)))+body)
					require.Contains(t, []int{204, 413, 422}, r.StatusCode, "%s %.100s", file, body)
				}
			}
		}
	}
}

// TestManyRangesAreOneWhole checks that a request for many small ranges gets the whole content
// once, because each part would cost a seek and its own header.
func TestManyRangesAreOneWhole(t *testing.T) {
	t.Parallel()
	s, at, _ := hostile(t)
	for _, what := range []string{"image", "PDF", "media", "layer"} {
		whole, all := s.bytes("GET", request("GET", at[what]))
		require.Equal(t, http.StatusOK, whole.StatusCode)
		for ranges, want := range map[string]int{
			"bytes=0-0": 206, "bytes=-1": 206, "bytes=0-": 206, "bytes=999999999-": 416, "bytes=5-1": 416, "bytes=x": 416, "lines=1-2": 416, "": 200,
			"bytes=99999999999999999999-": 416, "bytes=0-0," + strings.Repeat("0-0,", 1_000): 200, "bytes=" + strings.Repeat("0-,", 10_000): 200, "bytes=" + strings.Repeat(",", 10_000): 200,
		} {
			r, body := s.bytes("GET", request("GET", at[what], "Range: "+ranges))
			require.Equal(t, want, r.StatusCode, "%s %.100s", what, ranges)
			if want == http.StatusOK {
				require.True(t, body == all, "%s %.100s", what, ranges)
			}
		}
	}
}
