package apitest

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"io"
	"net/http"
	"strings"
	"testing"
	"unicode/utf16"

	"github.com/stretchr/testify/require"

	"paperfs/remote"
	"paperfs/remote/testrun"
)

// TestNoCharsetIsHidden checks that a form with another charset than UTF-8 is refused, wherever the
// charset stands in the Content-Type.
func TestNoCharsetIsHidden(t *testing.T) {
	t.Parallel()
	s := start(t)
	form := s.credentials(remote.GetPaperIDFromUrl)
	form.Set("url", "/")
	post := func(types ...string) reply {
		t.Helper()
		req := testrun.Must(http.NewRequest(http.MethodPost, s.http.URL+remote.GetPaperIDFromUrl.Path(), strings.NewReader(form.Encode())))(t)
		req.Header["Content-Type"] = types
		return s.do(req)
	}
	const kind = "application/x-www-form-urlencoded"
	for _, good := range []string{"", ";", "; x=y", "; x", "; x=y; charset=UTF-8", `;charset="utf-8"; x`, "; charset=utf8; charset=utf-8", "; charset"} {
		require.Equal(t, remote.Success, post(kind+good).code, good)
	}
	for _, bad := range []string{"; charset=iso-8859-1", "; x=y; charset=iso-8859-1", "; charset=utf-8; charset=iso-8859-1", "; x; charset=iso-8859-1", `; x="; charset=iso-8859-1`,
		`; charset=iso-8859-1; x="`, "; Charset = iso-8859-1", ";charset*=UTF-8''iso-8859-1", ";charset*0=iso-; charset*1=8859-1", "; x=y, charset=iso-8859-1", "; charset=utf-16"} {
		r := post(kind + bad)
		require.Equal(t, http.StatusUnsupportedMediaType, r.status, bad)
		require.Contains(t, r.body, "send UTF-8", bad)
	}
	require.Equal(t, http.StatusUnsupportedMediaType, post(kind, kind+"; charset=iso-8859-1").status, "a charset in a second header")
}

// TestEncodingsOfSOAP checks that the service accepts SOAP in the encodings that every XML parser
// reads.
func TestEncodingsOfSOAP(t *testing.T) {
	t.Parallel()
	s := start(t)
	made := 0
	text := func(declared string) string {
		made++
		name, parameters := fmt.Sprint("Käse", made), ""
		for name, value := range map[string]string{"username": s.user, "password": s.key, "parentID": "0", "name": name} {
			parameters += fmt.Sprintf("<%s>%s</%s>", name, value, name)
		}
		return declared + `<e:Envelope xmlns:e="http://schemas.xmlsoap.org/soap/envelope/"><e:Body><CreateDirectory xmlns="http://tempuri.org/">` + parameters + `</CreateDirectory></e:Body></e:Envelope>`
	}
	wide := func(order binary.ByteOrder, text string) string {
		var b bytes.Buffer
		require.NoError(t, binary.Write(&b, order, utf16.Encode([]rune(text))))
		return b.String()
	}
	narrow := func(text string) string { return strings.ReplaceAll(text, "ä", "\xe4") }
	post := func(kind, body string) reply {
		t.Helper()
		req := testrun.Must(http.NewRequest(http.MethodPost, s.http.URL+"/V2/Media.asmx", strings.NewReader(body)))(t)
		req.Header.Set("Content-Type", kind)
		resp := testrun.Must(http.DefaultClient.Do(req))(t)
		defer resp.Body.Close()
		return reply{status: resp.StatusCode, body: string(testrun.Must(io.ReadAll(resp.Body))(t))}
	}
	const xml = "text/xml"
	for i, c := range []struct{ kind, body string }{
		{xml, text("")},
		{xml + "; charset=utf-8", text("")},
		{xml + `; charset="UTF-8"`, text(`<?xml version="1.0" encoding="utf-8"?>`)},
		{xml, "\ufeff" + text("")},
		{xml, text(`<?xml version="1.0" encoding="utf-16"?>`)}, // .NET writes this by mistake
		{xml, wide(binary.LittleEndian, "\ufeff"+text(`<?xml version="1.0" encoding="utf-16"?>`))},
		{xml + "; charset=utf-16", wide(binary.BigEndian, "\ufeff"+text(""))},
		{xml + "; charset=utf-16le", wide(binary.LittleEndian, text(""))},
	} {
		r := post(c.kind, c.body)
		require.Equal(t, http.StatusOK, r.status, "%d: %s", i, r.body)
		require.Contains(t, r.body, "SUCCESS", i)
	}
	require.Equal(t, 8, strings.Count(s.must(remote.GetTree).data, `name="Käse`))
	for i, c := range []struct{ kind, body string }{
		{xml + "; charset=iso-8859-1", narrow(text(""))},
		{xml, narrow(text(`<?xml version="1.0" encoding="iso-8859-1"?>`))},
		{xml, narrow(text(`<?xml version="1.0" encoding="windows-1252"?>`))},
		{xml, text(`<?xml version="1.0" encoding="nonsense"?>`)},
		{xml + "; charset=iso-8859-1", text(`<?xml version="1.0" encoding="utf-8"?>`)},
		{xml + "; x=y; charset=iso-8859-1", text("")},
	} {
		r := post(c.kind, c.body)
		require.Equal(t, http.StatusUnsupportedMediaType, r.status, "%d: %s", i, r.body)
		require.Contains(t, r.body, "send UTF-8 or UTF-16", i)
		require.Contains(t, r.body, "Fault>", i)
	}
}
