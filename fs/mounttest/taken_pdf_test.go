package mounttest

import (
	"encoding/base64"
	"io"
	"net/http"
	"net/url"
	"os"
	"path/filepath"
	"sync"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"paperfs/remote"
)

// takePDFs answers each ProcessPDF in place of the service: with success and no data, as the
// documentation has it. So no pages are made, and a paper takes the next PDF at once. taken
// returns the last PDF.
func (m *mounted) takePDFs() (taken func() []byte) {
	var mu sync.Mutex
	var last []byte
	m.proxy.Answer(remote.ProcessPDF, func(w http.ResponseWriter, r *http.Request) bool {
		body, err := io.ReadAll(r.Body)
		if err != nil {
			return false // the client has gone
		}
		form, err := url.ParseQuery(string(body))
		assert.NoError(m.t, err)
		pdf, err := base64.StdEncoding.DecodeString(form.Get("base64Pdf"))
		assert.NoError(m.t, err)
		mu.Lock()
		last = pdf
		mu.Unlock()
		_, _ = io.WriteString(w, `<?xml version="1.0" encoding="utf-8"?><result><code>SUCCESS</code></result>`)
		return true
	})
	return func() []byte {
		mu.Lock()
		defer mu.Unlock()
		return last
	}
}

// here returns the content of a file in the home directory.
func (m *mounted) here(name string) []byte {
	m.t.Helper()
	content, err := os.ReadFile(filepath.Join(m.home, name))
	require.NoError(m.t, err)
	return content
}
