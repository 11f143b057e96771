package media

import (
	"fmt"
	"strings"
)

// queuePDF queues the PDF of the script's paper, or newer content of it.
func (p *cutPlayer) queuePDF(content string) error {
	f := &fixture{t: p.t, store: p.store}
	return f.put(content)
}

// pdfs returns what is wrong with the PDFs that were queued and have been sent.
func (v *cutVerdict) pdfs(papers *fakePapers) (wrong []string) {
	found := ""
	for _, sent := range papers.arrived() {
		content, is := strings.CutPrefix(sent, "7: ")
		if !is {
			wrong = append(wrong, "a PDF went to another paper")
		}
		found += content
	}
	if found != v.before.pdf && found != v.after.pdf {
		wrong = append(wrong, fmt.Sprintf("the queued PDF has %d bytes, not %d", len(found), len(v.before.pdf)))
	}
	return wrong
}
