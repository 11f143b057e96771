package media

import (
	"fmt"
	"io"
	"testing"

	"github.com/stretchr/testify/require"
)

// queuePDF queues the PDF of the script's paper, or newer content of it.
func (p *cutPlayer) queuePDF(content string) (err error) {
	if p.pdf == nil {
		p.pdf, err = queuePDF(p.store, content)
		return err
	}
	if err := p.pdf.Truncate(0); err != nil {
		return err
	}
	if _, err := p.pdf.WriteAt([]byte(content), 0); err != nil {
		return err
	}
	return queueAgain(p.pdf)
}

// pdfs returns what is wrong with the queued PDFs, and removes them from the queue: nothing publishes
// them.
func (v *cutVerdict) pdfs(t *testing.T, store *Store) (wrong []string) {
	found := ""
	for _, q := range store.QueuedPDFs() {
		content, err := io.ReadAll(io.NewSectionReader(q, 0, 1<<30))
		require.NoError(t, err)
		found += string(content)
		q.Close()
	}
	if found != v.before.pdf && found != v.after.pdf {
		wrong = append(wrong, fmt.Sprintf("the queued PDF has %d bytes, not %d", len(found), len(v.before.pdf)))
	}
	return wrong
}
