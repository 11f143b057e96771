package processing

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"strings"
	"time"

	"paperfs/remote"
	"paperfs/remote/rules"
	"paperfs/remote/service/pdf"
	"paperfs/remote/service/store"
)

// process renders the PDF of a job and replaces the paper's pages. Readers see all old
// pages or all new ones.
func (q *Queue) process(ctx context.Context, w store.Work, y yielding) error {
	var options Options
	if err := json.Unmarshal([]byte(w.Options), &options); err != nil {
		return fmt.Errorf("the options of the job: %w", err)
	}
	images, err := q.Contents.Create(ctx)
	if err != nil {
		return err
	}
	defer images.Discard()
	r := &rendering{images: images, options: options, began: time.Now(), progress: func(page, pages int) { q.setProgress(w.GUID, page, pages) }}
	r.between = func() error { return y.yield(ctx, q, w, r) }
	// Reading content from an object store may take longer than a lease.
	kept, end := q.keep(ctx, w)
	err = q.render(kept, w, r)
	if err := errors.Join(err, end()); err != nil {
		return err
	}
	key, err := images.Commit()
	if err != nil {
		return err
	}
	return q.complete(w, r, key)
}

// render lets a worker of package pdf take the PDF of a job apart.
func (q *Queue) render(ctx context.Context, w store.Work, r *rendering) error {
	file, err := q.openFile(ctx, w.PDF, w.PDFSize)
	if err != nil {
		return err
	}
	defer file.Close()
	r.enrichment.store, r.enrichment.work = q.store, w
	if err := q.openTable(ctx, w, r.options.LinkTable, &r.enrichment); err != nil {
		return err
	}
	o := &r.options
	job := pdf.Job{Tables: o.ImportLinks, Password: o.Password, From: o.From, To: o.To, Watermark: o.Watermark}
	r.began = time.Now()
	err = q.processor.Process(ctx, job, file, r)
	return errors.Join(err, q.spend(w, r.used()))
}

// spend counts the time that a worker spent on a job, whatever the outcome, before
// anybody can see that the job has ended.
func (q *Queue) spend(w store.Work, d time.Duration) error {
	err := q.store.Write(context.Background(), w.Tenant, func(tx store.Writer) error { return tx.AddPDFTime(w.Tenant, q.now(), d) })
	return store.IgnoreNotFound(err) // its tenant was removed
}

// mayBegin checks the quota again, as when the job was queued: many jobs may have been
// queued before the first one ended. It refuses with an *answer.Fault.
func (q *Queue) mayBegin(w store.Work) error {
	return q.store.Read(context.Background(), func(tx store.Reader) error {
		t, err := tx.Tenant(w.Tenant)
		if err != nil {
			return err
		}
		return MinutesLeft(tx, t, q.now())
	})
}

// openFile opens content as a file of the operating system.
func (q *Queue) openFile(ctx context.Context, key string, size int64) (*os.File, error) {
	content, err := q.Contents.Open(ctx, key, 0, size)
	if err != nil {
		return nil, err
	}
	if file, ok := content.(*os.File); ok {
		return file, nil
	}
	defer content.Close()
	file, err := os.CreateTemp(q.scratch, "paperfs-*.pdf")
	if err != nil {
		return nil, err
	}
	_ = os.Remove(file.Name()) // the file exists for as long as it is open
	if _, err := io.Copy(file, content); err != nil {
		return nil, errors.Join(err, file.Close())
	}
	return file, nil
}

// complete replaces the paper's pages with a rendering, in one change.
func (q *Queue) complete(w store.Work, r *rendering, images string) error {
	w.Status, w.Progress, w.Reason = remote.JobCompleted, 100, r.warnings.reason()
	if reason := r.enrichment.reason(); reason != "" {
		w.Status, w.Reason = remote.JobEnrichmentFailed, strings.TrimSpace(reason+" "+w.Reason)
	}
	err := q.store.Write(context.Background(), w.Tenant, func(tx store.Writer) error {
		old, err := tx.Rendition(w.Paper)
		if err != nil && !store.IsNotFound(err) {
			return err
		}
		if err := q.keepPDF(tx, w, old.PDF); err != nil {
			return err
		}
		if err := q.endWork(tx, w); err != nil {
			return err
		}
		if err := r.merge(tx, w.Paper); err != nil {
			return err
		}
		if err := q.put(tx, w, r, images); err != nil {
			return err
		}
		return tx.DropContent(old.Images)
	})
	if errors.Is(err, errJobGone) {
		q.drop(w.Tenant, images)
		return err
	}
	if err != nil {
		// The images stay: the change may be on the disk in spite of the error, and then
		// needs them. If it is not, the next start sweeps them.
		return err
	}
	q.log.Info("PDF processed", "job", w.GUID, "paper", w.Paper, "pages", len(r.pages), "links", len(r.links), "status", w.Status)
	return nil
}

// keepPDF keeps the PDF that a paper had, if the tenant keeps what is replaced, and drops it otherwise.
func (q *Queue) keepPDF(tx store.Writer, w store.Work, old string) error {
	t, err := tx.Tenant(w.Tenant)
	switch {
	case store.IsNotFound(err):
		return errJobGone
	case err != nil || old == w.PDF:
		return err
	}
	if t.Keep.ForDays() > 0 {
		err = tx.KeepPDF(w, q.now())
	} else {
		err = tx.DropContent(old)
	}
	if err != nil {
		return err
	}
	return tx.UseKeptPDF(w.PDF)
}

// titleFor tells the title of a PDF to whoever has left the paper the name of a file.
func titleFor(name, title string) string {
	if title == "" || strings.Contains(name, " ") || strings.EqualFold(name, title) {
		return ""
	}
	return "The paper has the name of its file; the title in the PDF is “" + title + "”."
}

// put stores a rendering and the end of its job.
func (q *Queue) put(tx store.Writer, w store.Work, r *rendering, images string) error {
	if err := tx.ReplacePages(w.Paper, r.pages); err != nil {
		return err
	}
	if err := tx.ReplaceLinks(w.Paper, r.links); err != nil {
		return err
	}
	if err := tx.KeepContent(images); err != nil {
		return err
	}
	wishes, err := json.Marshal(r.wishes)
	if err != nil {
		return err
	}
	if err := tx.SetRendition(w.Paper, store.Rendition{PDF: w.PDF, PDFSize: w.PDFSize, Images: images, Wishes: string(wishes)}); err != nil {
		return err
	}
	paper, err := tx.Node(w.Tenant, w.Paper)
	if err != nil {
		return err
	}
	w.Reason = strings.TrimSpace(w.Reason + " " + titleFor(paper.Name, r.wishes.Title))
	processed := store.Processing{At: q.now().UTC().Truncate(time.Second), PDFKB: rules.KB(w.PDFSize)}
	if err := tx.SetProcessing(w.Paper, processed); err != nil {
		return err
	}
	return tx.PutJob(w.Job)
}
