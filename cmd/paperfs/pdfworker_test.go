package main

import (
	"encoding/base64"
	"net/http"
	"net/url"
	"os"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"paperfs/remote/service/kit/pdftest"
	"paperfs/remote/service/kit/servicetest"
	"paperfs/remote/testrun"
)

// ownData is the place of the data of a mount's own service, below the home.
const ownData = ".local/share/paperfs"

// compiled gives a data directory the code of PDFium that other tests have compiled, which takes seconds.
func (e *environment) compiled(data string) {
	e.t.Helper()
	require.NoError(e.t, os.MkdirAll(e.path(data), 0o700))
	require.NoError(e.t, os.Symlink(servicetest.PDFCacheOf(e.program), e.path(data, "pdf-code")))
}

// TestServeProcessesPDFs checks that the program starts itself as the worker.
func TestServeProcessesPDFs(t *testing.T) {
	t.Parallel()
	e := newEnvironment(t)
	e.program = plain(t)
	if !testrun.All() {
		e.compiled("data")
	}
	_, env := e.serving("--pdf-limit", "2000")
	ask := func(group, operation string, pairs ...string) string {
		form := url.Values{"plUsername": {env["PAPERFS_USERNAME"]}, "plPassword": {env["PAPERFS_PASSWORD"]}}
		for i := 0; i < len(pairs); i += 2 {
			form.Set(pairs[i], pairs[i+1])
		}
		_, body := call(t, http.DefaultClient, env["PAPERFS_URL"], group, operation, form)
		return body
	}
	attribute := func(name, body string) string {
		found := regexp.MustCompile(name + `[="<>!\[CDAT]+([0-9a-f-]+)`).FindStringSubmatch(body)
		require.NotNil(t, found, body)
		return found[1]
	}
	root := attribute("id", ask("Paper", "GetPaperIDFromUrl", "url", "/"))
	paper := attribute("id", ask("Paper", "CreatePaper", "parentID", root, "name", "Spring", "urlName", "spring"))
	encoded := func(texts ...string) string { return base64.StdEncoding.EncodeToString(pdftest.Text(texts...)) }
	require.Contains(t, ask("Ripper", "ProcessPDF", "paperID", paper, "xmlOptions", "", "base64Pdf", encoded(strings.Repeat("long ", 400))), "2000 bytes")

	job := attribute("jobGuid", ask("Ripper", "ProcessPDF", "paperID", paper, "xmlOptions", "", "base64Pdf", encoded("Spring is here")))
	var status string
	require.Eventually(t, func() bool {
		status = ask("Ripper", "GetProcessingStatus", "jobGuid", job)
		return !strings.Contains(status, "Pending")
	}, testrun.Patience(), 50*time.Millisecond)
	require.Contains(t, status, "Completed")
	require.Contains(t, ask("Paper", "GetPaperStructure", "paperID", paper, "includeIndexedText", "true"), "Spring is here")
}
