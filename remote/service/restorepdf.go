package service

import (
	"encoding/json"
	"errors"
	"time"

	"github.com/google/uuid"

	"paperfs/remote/service/processing"
	"paperfs/remote/service/store"
)

// pdf processes a replaced PDF again, with the options that are the default and free of the licence. Its
// entry stays until the job ends well; then the PDF that the paper has now is kept.
func (r *restoring) pdf(k store.Kept) (edition int64, job string, err error) {
	paper, err := r.paper(r.tx, k.File.ID)
	if err != nil {
		return 0, "", err
	}
	busy, err := r.tx.BeingProcessed(paper.ID)
	if err != nil {
		return 0, "", err
	}
	if busy {
		return 0, "", alreadyProcessed(paper.ID)
	}
	if err := r.mayQueue(r.tx); err != nil {
		return 0, "", err
	}
	if err := processing.MinutesLeft(r.tx, r.tenant, r.now()); err != nil {
		return 0, "", err
	}
	options, err := processing.ReadOptions("", r.pdfPages)
	if err != nil {
		return 0, "", err
	}
	text, err := json.Marshal(options)
	if err != nil {
		return 0, "", err
	}
	if err := r.tx.FailForeign(paper.ID, "Another PDF was restored while it was pending; an import had brought it."); err != nil {
		return 0, "", err
	}
	w := store.Work{Options: string(text), PDF: k.Content, PDFSize: k.Size, Account: r.account.Name}
	w.GUID, w.Tenant, w.Paper = uuid.NewString(), r.tenant.ID, paper.ID
	w.Created = r.now().UTC().Truncate(time.Second)
	if err := r.tx.AddWork(w); errors.Is(err, store.ErrTaken) {
		return 0, "", alreadyProcessed(paper.ID)
	} else if err != nil {
		return 0, "", err
	}
	edition, err = r.tx.Accept(paper.ID, store.Accepted{Size: w.PDFSize, Job: w.GUID})
	return edition, w.GUID, err
}
