package reader_test

import (
	"bytes"
	"fmt"
	"io"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"paperfs/remote"
	"paperfs/remote/service"
	"paperfs/remote/service/kit/pdftest"
	"paperfs/remote/service/kit/servicetest"
	"paperfs/remote/service/store"
)

// document is a PDF to upload.
type document []byte

func (d document) Size() int64                  { return int64(len(d)) }
func (d document) Open() (io.ReadCloser, error) { return io.NopCloser(bytes.NewReader(d)), nil }

// library is a service with papers to read.
type library struct {
	testing.TB
	*servicetest.Fixture
	client *remote.Client
}

func open(t testing.TB, change ...func(*service.Options)) *library {
	t.Helper()
	f := servicetest.Start(t, change...)
	client, err := remote.New(remote.Options{BaseURL: f.URL, Username: f.Username, Password: f.Password})
	require.NoError(t, err)
	t.Cleanup(client.Close)
	return &library{t, f, client}
}

// top returns the root category.
func (l *library) top() remote.Node {
	l.Helper()
	root, found, err := l.client.GetPaperIDFromUrl(l.Context(), "/")
	require.NoError(l, err)
	require.True(l, found)
	return remote.Node{ID: root, URL: "/"}
}

// paper creates a paper from a PDF below the root, with the PDF's links.
func (l *library) paper(name string, pdf []byte) int64 {
	l.Helper()
	id, err := l.client.CreatePaper(l.Context(), l.top(), "Paper "+name, name)
	require.NoError(l, err)
	job, err := l.client.ProcessPDF(l.Context(), id, options, document(pdf))
	require.NoError(l, err)
	l.processed(job.GUID)
	return id
}

const options = "<options><preserve-index>false</preserve-index><import-bookmarks>true</import-bookmarks><import-links>true</import-links><import-links-styleid>1</import-links-styleid><preserve-links>false</preserve-links></options>"

// processed waits until a job completes.
func (l *library) processed(guid string) {
	l.Helper()
	for {
		status, reason, err := l.client.GetProcessingStatus(l.Context(), guid)
		require.NoError(l, err)
		if status != remote.JobPending {
			require.Equal(l, remote.JobCompleted, status, reason)
			return
		}
		time.Sleep(20 * time.Millisecond)
	}
}

// links replaces a paper's links, as an import does.
func (l *library) links(paper int64, links ...store.Link) {
	l.Helper()
	l.write(func(tx store.Writer) error { return tx.ReplaceLinks(paper, links) })
}

// write changes the store directly, past the service.
func (l *library) write(change func(tx store.Writer) error) {
	l.Helper()
	db := servicetest.In(l, l.Data).Beside(l)
	require.NoError(l, db.Write(l.Context(), store.AllTenants, change))
}

func (l *library) set(paper int64, name, value string) {
	l.Helper()
	require.NoError(l, l.client.SetSetting(l.Context(), paper, name, value))
}

// booklet returns a PDF whose pages contain their numbers.
func booklet(pages int) []byte {
	var sheets []pdftest.Sheet
	for n := 1; n <= pages; n++ {
		sheets = append(sheets, pdftest.Sheet{Text: strings.Repeat(fmt.Sprintf("This is page %d of the booklet, and it has some text.\n", n), 4)})
	}
	return pdftest.Document(sheets)
}
