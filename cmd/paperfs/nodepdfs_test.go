package main

import (
	"regexp"
	"strings"
	"time"
)

// sentPDF is one that nodes were asked to process.
type sentPDF struct {
	paper string // its id
	job   string // "" if the outcome is not known
	own   bool   // no worker sends the paper another
}

// publish makes a paper of a PDF. It waits a moment for the pages, so that jobs whose node
// was killed do not hold all up until their leases end.
func (f *traffic) publish(name string) {
	paper := f.create("CreatePaper", name)
	if paper == "" {
		return
	}
	sent := f.process(paper, true)
	if sent.job == "" {
		return
	}
	for range 100 {
		if _, body := f.ask("Ripper", "GetProcessingStatus", "jobGuid", sent.job); isOver(body) {
			return
		}
		select {
		case <-f.stop:
			return
		case <-time.After(pause):
		}
	}
}

func isOver(status string) bool {
	return strings.Contains(status, "Completed") || strings.Contains(status, "Failed")
}

// process sends a paper a PDF. It is refused where one is pending.
func (f *traffic) process(paper string, own bool) *sentPDF {
	code, body := f.ask("Ripper", "ProcessPDF", "paperID", paper, "xmlOptions", "", "base64Pdf", f.pdf)
	sent := &sentPDF{paper: paper, own: own}
	if code == "SUCCESS" {
		sent.job = regexp.MustCompile(`<jobGuid><!\[CDATA\[(.*?)\]\]></jobGuid>`).FindStringSubmatch(body)[1]
	}
	f.keep(func() {
		f.sent = append(f.sent, sent)
		if own && code != "" && code != "SUCCESS" {
			f.strange = append(f.strange, "ProcessPDF: "+code)
		}
	})
	return sent
}
