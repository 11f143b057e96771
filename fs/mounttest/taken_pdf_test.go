package mounttest

import (
	"encoding/base64"
	"errors"
	"io"
	"net/http"
	"os"
	"path/filepath"
	"sync"

	"paperfs/remote"
	"paperfs/remote/testrun"
)

// takePDFs answers each ProcessPDF in place of the service: with success and no data, as the
// documentation has it. So no pages are made, and a paper takes the next PDF at once. taken
// returns the last PDF.
func (m *mounted) takePDFs() (taken func() []byte) {
	var mu sync.Mutex
	var last []byte
	m.proxy.Answer(remote.ProcessPDF, func(w http.ResponseWriter, r *http.Request) bool {
		pdf, err := sentPDF(r)
		if err != nil {
			return false // the client has gone
		}
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

// sentPDF reads the PDF of a ProcessPDF, which a mount sends raw or in a form.
func sentPDF(r *http.Request) ([]byte, error) {
	file, _, err := r.FormFile("base64Pdf")
	if err == nil {
		return io.ReadAll(file)
	}
	if !errors.Is(err, http.ErrNotMultipart) {
		return nil, err
	}
	return base64.StdEncoding.DecodeString(r.PostFormValue("base64Pdf"))
}

// here returns the content of a file in the home directory.
func (m *mounted) here(name string) []byte {
	m.t.Helper()
	return testrun.Must(os.ReadFile(filepath.Join(m.home, name)))(m.t)
}
