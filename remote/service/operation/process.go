package operation

import (
	"bytes"
	"crypto/sha256"
	"encoding/json"
	"errors"
	"time"

	"github.com/google/uuid"

	"paperfs/remote"
	"paperfs/remote/rules"
	"paperfs/remote/service/answer"
	"paperfs/remote/service/call"
	"paperfs/remote/service/processing"
	"paperfs/remote/service/store"
)

// pdfMark has to be among the first call.PDFMarkArea bytes of a PDF.
const pdfMark = "%PDF-"

func readOptions(c *call.Call) (text string, err error) {
	options, err := processing.ReadOptions(c.Param("xmlOptions"), c.Service.Options.PDFLimits.WithDefaults().Pages)
	if err != nil {
		return "", err
	}
	marshalled, err := json.Marshal(options)
	return string(marshalled), err
}

// processPDF queues a PDF. A queued PDF is on the disk. Nothing is kept of one for which
// the answer is a failure.
func processPDF(c *call.Call, w *answer.Writer) error {
	j := newJob{}
	var err error
	if j.paper, j.made, err = readTarget(c); err != nil {
		return err
	}
	if j.options, err = readOptions(c); err != nil {
		return err
	}
	if err := c.Malformed(); err != nil {
		return err
	}
	if _, err := c.Form.Bulk(); err != nil {
		return answer.Refuse(remote.InvalidBase64PDF, "base64Pdf is not valid base64 (standard alphabet, padded; percent-encode + / and = in a form): %v.", err)
	}
	if c.Upload.Failed == nil && !bytes.Contains(c.Upload.Head, []byte(pdfMark)) {
		return answer.Refuse(remote.InvalidBase64PDF, "The file is not a PDF: %s is not among its first %d bytes.", pdfMark, call.PDFMarkArea)
	}
	// A check before the content is made durable may save that work. The change checks
	// again.
	err = c.Read(func(tx store.Reader) error {
		measured := c.Upload.Measured()
		j.sent = &measured
		_, _, stands, err := j.standing(c, tx)
		if err != nil || stands {
			return err
		}
		return j.mayBegin(c, tx)
	})
	if err != nil {
		return err
	}
	file, err := c.Upload.Commit()
	if err != nil {
		return err
	}
	j.sent = &file
	stood, err := j.queue(c, w)
	if c.Forget(file, err); stood {
		c.Service.Drop(c.Tenant.ID, file.Content)
	}
	return err
}

// judgePDF checks whether ifVersion of ProcessPDF holds. It returns what was accepted last, and stands if that was this PDF
// with these options: where the condition does not hold, this is a repeat, and where the pages are made, nothing is to do.
func judgePDF(c *call.Call, tx store.Reader, id int64, pdf store.File, options string) (a store.Accepted, stands bool, err error) {
	o, err := c.Condition()
	if err != nil || !c.TellsVersion() {
		return a, false, err
	}
	if a, err = lastAccepted(c, tx, o, id); err != nil {
		return a, false, err
	}
	err = o.Judge(id, a.Edition)
	if a.Job == "" || a.Sum != acceptedSum(pdf, options) {
		return a, false, err
	}
	if err != nil {
		return a, true, nil
	}
	job, err := tx.Job(c.Tenant.ID, a.Job)
	if store.IsNotFound(err) {
		return a, false, nil
	}
	return a, job.Status == remote.JobCompleted, err
}

func lastAccepted(c *call.Call, tx store.Reader, o call.Condition, id int64) (store.Accepted, error) {
	if _, err := tx.Node(c.Tenant.ID, id); err != nil {
		if store.IsNotFound(err) {
			err = o.Missing(call.NoNode(id))
		}
		return store.Accepted{}, err
	}
	return tx.Accepted(id)
}

// standingPDF is the standingContent of ProcessPDF.
func standingPDF(c *call.Call, o call.Condition) (refused error, bytes int64, err error) {
	err = c.Read(func(tx store.Reader) error {
		paper, err := c.ID("paperID")
		if err != nil {
			return nil
		}
		a, err := lastAccepted(c, tx, o, paper)
		if refused, bytes = o.Judge(paper, a.Edition), a.Size; a.Job == "" {
			bytes = -1
		}
		return err
	})
	return refused, bytes, err
}

// acceptedSum identifies a PDF with its options.
func acceptedSum(pdf store.File, options string) [32]byte {
	return sha256.Sum256(append(pdf.SHA256[:], options...))
}

// reprocessPaper queues the PDF from which the paper's pages were made.
func reprocessPaper(c *call.Call, w *answer.Writer) error {
	id, err := c.ID("paperID")
	if err != nil {
		return err
	}
	text, err := readOptions(c)
	if err == nil {
		_, err = newJob{paper: id, options: text}.queue(c, w)
	}
	return err
}

// newJob is a job that is to be queued, for a PDF that was sent or, without one, for the PDF from which the paper's pages
// were made.
type newJob struct {
	paper   int64
	made    *newPaper // where paper is 0; nil for none
	options string
	sent    *store.File
}

// standing looks whether the job may replace what the paper has, and whether it is there already (see judgePDF). segment is
// the place of a paper that is to be made.
func (j *newJob) standing(c *call.Call, tx store.Reader) (a store.Accepted, segment string, stands bool, err error) {
	switch {
	case j.sent == nil:
	case j.made == nil:
		a, stands, err = judgePDF(c, tx, j.paper, *j.sent, j.options)
	default:
		if segment, a, j.paper, err = j.made.place(c, tx, acceptedSum(*j.sent, j.options)); j.paper != 0 && err == nil {
			var job store.Job
			job, err = tx.Job(c.Tenant.ID, a.Job)
			stands, err = err == nil && job.Status != remote.JobFailed, store.IgnoreNotFound(err)
		}
	}
	return a, segment, stands, err
}

// mayBegin checks whether the paper, the licence and the quotas allow a new job.
func (j *newJob) mayBegin(c *call.Call, tx store.Reader) error {
	if j.paper != 0 {
		if _, err := c.Paper(tx, j.paper); err != nil {
			return err
		}
		busy, err := tx.BeingProcessed(j.paper)
		if err != nil {
			return err
		}
		if busy {
			return alreadyProcessed(j.paper)
		}
	}
	if err := mayQueue(&c.Actor, tx); err != nil {
		return err
	}
	tenant, err := tx.TenantByName(c.Tenant.Name)
	if err == nil && tenant.Processings != nil && *tenant.Processings < 1 {
		return licenceSpent()
	}
	if err != nil {
		return err
	}
	return processing.MinutesLeft(tx, tenant, c.Service.Now())
}

// mayQueue refuses a job if the tenant's part of the queue is full.
func mayQueue(a *call.Actor, tx store.Reader) error {
	most := a.PDFQueue
	if most == 0 {
		return nil
	}
	count, err := tx.CountWork(a.Tenant.ID)
	if err == nil && count >= most {
		return answer.Invalid("%d PDFs are queued or being processed, which is the limit; send this one when some of them are finished.", count)
	}
	return err
}

func alreadyProcessed(id int64) error {
	return answer.Refuse(remote.AlreadyBeingProcessed, "A PDF of the paper %d is being processed already.", id)
}

func licenceSpent() error {
	return answer.Refuse(remote.LicenseForbidsProcessing, "The licence has no processings left.")
}

// storedPDF returns the PDF from which the paper's pages were made.
func storedPDF(tx store.Reader, id int64) (key string, size int64, err error) {
	r, err := tx.Rendition(id)
	if store.IsNotFound(err) {
		err = answer.Invalid("The paper %d has no PDF to process again.", id)
	}
	return r.PDF, r.PDFSize, err
}

// queue adds the job, and answers with its GUID. stood: the job is there already.
func (j newJob) queue(c *call.Call, w *answer.Writer) (stood bool, err error) {
	work := store.Work{Options: j.options, Account: c.Account.Name}
	work.GUID, work.Tenant = uuid.NewString(), c.Tenant.ID
	work.Created = c.Service.Now().UTC().Truncate(time.Second)
	var edition int64
	err = c.Write(func(tx store.Writer) error {
		a, segment, stands, err := j.standing(c, tx)
		if err != nil {
			return err
		}
		if stood = stands; stood {
			work.GUID, edition = a.Job, a.Edition
			return nil
		}
		if err := j.mayBegin(c, tx); err != nil {
			return err
		}
		if j.paper == 0 {
			if j.paper, err = j.made.add(c, tx, segment); err != nil {
				return err
			}
		}
		accepted := store.Accepted{Job: work.GUID}
		if j.sent == nil {
			work.PDF, work.PDFSize, err = storedPDF(tx, j.paper)
		} else {
			work.PDF, work.PDFSize, accepted.Sum = j.sent.Content, j.sent.Size, acceptedSum(*j.sent, j.options)
		}
		if err != nil {
			return err
		}
		work.Paper, accepted.Size = j.paper, work.PDFSize
		edition, err = accept(tx, work, accepted)
		return err
	})
	if err != nil {
		return stood, err
	}
	c.Service.Queue.Wake()
	if c.Message = "The PDF is queued."; stood {
		c.Message = "The paper has this PDF already, or will have it: no other job is needed. ReprocessPaper processes it again."
	}
	w.Scalar("jobGuid", work.GUID)
	if j.sent != nil {
		c.TellVersion(w, edition)
	}
	if j.made != nil {
		w.Empty("paper", answer.Int("id", j.paper))
	}
	return stood, nil
}

// accept adds the work to the queue, and returns the edition that its paper has from now on.
func accept(tx store.Writer, work store.Work, accepted store.Accepted) (edition int64, err error) {
	left, err := tx.TakeProcessing(work.Tenant)
	if err != nil {
		return 0, err
	}
	if !left {
		return 0, licenceSpent()
	}
	return acceptFree(tx, work, accepted)
}

// acceptFree is accept without counting a processing.
func acceptFree(tx store.Writer, work store.Work, accepted store.Accepted) (edition int64, err error) {
	// The system from which a job was imported may never report the end of the job.
	if err := tx.FailForeign(work.Paper, "Another PDF was sent while it was pending; an import had brought it."); err != nil {
		return 0, err
	}
	if err := tx.AddWork(work); errors.Is(err, store.ErrTaken) {
		return 0, alreadyProcessed(work.Paper)
	} else if err != nil {
		return 0, err
	}
	if edition, err = tx.Accept(work.Paper, accepted); err != nil {
		return 0, err
	}
	return edition, tx.KeepContent(work.PDF)
}

// getProcessingPapers answers GetProcessingPapers. The GUID of the job follows the
// documented attributes, and how many of its pages are made.
func getProcessingPapers(c *call.Call, w *answer.Writer) error {
	var jobs []store.Job
	err := c.Read(func(tx store.Reader) (err error) { jobs, err = tx.PendingJobs(c.Tenant.ID); return err })
	if err != nil {
		return err
	}
	w.Open("processes")
	for _, j := range jobs {
		at, running := c.Service.Queue.Progress(j.GUID)
		if running {
			j.Progress = at.Percent
		}
		attrs := []answer.Attr{answer.String("created", rules.FormatTime(j.Created)), answer.Int("paper-id", j.Paper), answer.Int("progress", int64(j.Progress)), answer.String("job-guid", j.GUID)}
		if at.Pages > 0 {
			attrs = append(attrs, answer.Int("page", int64(at.Page)), answer.Int("pages", int64(at.Pages)))
		}
		w.Empty("process", attrs...)
	}
	w.Close("processes")
	return nil
}

// getProcessingStatus answers GetProcessingStatus. The reason of a failed job follows
// the documented element. A paper is named for the last job of its PDF.
func getProcessingStatus(c *call.Call, w *answer.Writer) error {
	guid, ok := rules.GUID(c.Param("jobGuid"))
	var err error
	if c.Param("paperID") != "" {
		err = of(c, c.Paper, func(tx store.Reader, n store.Node) error { last, err := tx.Accepted(n.ID); guid = last.Job; return err })
	} else if !ok {
		err = answer.Invalid("jobGuid is not a GUID.")
	}
	if err != nil {
		return err
	}
	var job store.Job
	err = c.Read(func(tx store.Reader) (err error) { job, err = tx.Job(c.Tenant.ID, guid); return err })
	if errors.Is(err, store.ErrNotFound) {
		return answer.Invalid("There is no job %s.", guid)
	}
	if err != nil {
		return err
	}
	w.Scalar("ProcessStatus", string(job.Status))
	if job.Reason != "" {
		w.Text("Reason", job.Reason)
	}
	return nil
}
