package main

import (
	"regexp"
	"strings"
	"time"
)

// sentPDF is a PDF that the test sent for processing.
type sentPDF struct {
	paper string // its id
	job   string // "" if the outcome is unknown
	own   bool   // no other PDF is sent to this paper
}

// publish creates a paper from a PDF. It waits for the pages only a moment, so that jobs of a
// killed node do not delay everything until their leases end.
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

// process sends a PDF to a paper. The service refuses it while another is pending.
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
