package service_test

import (
	"encoding/xml"
	"net/http"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"paperfs/remote/service"
)

func TestHelpPages(t *testing.T) {
	s := start(t, func(o *service.Options) { o.BasePath = "base" })
	for _, op := range offered() {
		group := "/base/V2/" + op.Group + ".asmx"
		r := s.visit(group)
		require.Equal(t, 200, r.status)
		require.Equal(t, "text/html; charset=utf-8", r.header.Get("Content-Type"))
		require.Contains(t, r.body, `<a href="?op=`+op.Name+`">`)
		r = s.visit(strings.ToLower(group) + "?op=" + op.Name)
		require.Equal(t, 200, r.status)
		require.Contains(t, r.body, "POST /base"+op.Path()+" HTTP/1.1")
		for _, name := range append([]string{op.Pair.Username}, op.Params...) {
			require.Contains(t, r.body, name)
		}
	}
	for _, path := range []string{"/Statistics.asmx", "/Image.asmx", "/Client.asmx", "/Paper.asmx?op=Nothing", "/Paper.asmx?op=GetTree", "/Paper.asmx?op=", "/Paper.asmx?DISCO"} {
		require.Equal(t, 404, s.visit("/base/V2"+path).status, path)
	}
	require.Equal(t, 404, s.visit("/base/V2/Statistics.asmx?op=GetNumberOfVisitors").status, "not built: in no help page")
}

func TestHelpWithoutExtendedOperations(t *testing.T) {
	s := start(t, func(o *service.Options) { o.NoExtended = true })
	require.NotContains(t, s.visit("/V2/Media.asmx").body, "GetTree")
	require.NotContains(t, s.visit("/V2/Media.asmx?wsdl").body, "GetTree")
	require.Equal(t, 404, s.visit("/V2/CustomField.asmx").status)
}

func TestWSDL(t *testing.T) {
	s := start(t, func(o *service.Options) { o.Namespace = "http://example.org/a&b/" })
	for _, op := range offered() {
		for _, query := range []string{"?WSDL", "?wsdl"} {
			r := s.visit("/V2/" + op.Group + ".asmx" + query)
			require.Equal(t, 200, r.status)
			require.Equal(t, "text/xml; charset=utf-8", r.header.Get("Content-Type"))
			require.Contains(t, r.body, `<xs:element name="`+op.Name+`">`)
			require.Contains(t, r.body, `targetNamespace="http://example.org/a&amp;b/"`)
			require.Contains(t, r.body, `<http:address location="`+s.http.URL+`/V2/`+op.Group+`.asmx" />`)
			require.NoError(t, xml.Unmarshal([]byte(r.body), new(struct{})))
		}
	}
}

func TestNoSOAP(t *testing.T) {
	s := start(t)
	for _, kind := range []string{"text/xml; charset=utf-8", "application/soap+xml", "application/x-www-form-urlencoded"} {
		req, err := http.NewRequest(http.MethodPost, s.http.URL+"/V2/Paper.asmx", strings.NewReader("<Envelope/>"))
		require.NoError(t, err)
		req.Header.Set("Content-Type", kind)
		req.Header.Set("SOAPAction", `"http://tempuri.org/GetAllPapers"`)
		r := s.do(req)
		require.Equal(t, http.StatusUnsupportedMediaType, r.status)
		require.Equal(t, "text/plain; charset=utf-8", r.header.Get("Content-Type"))
	}
}
