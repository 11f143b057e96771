package processing

import (
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"io"
	"os"
	"time"

	"paperfs/remote/service/pdf"
	"paperfs/remote/service/store"
)

// largerTime is how much processor time a worker may take for a larger picture. Papers go first, so on a busy machine
// it may wait for that for a while, as long as somebody waits for the picture.
const largerTime = 20 * time.Second

// made says how the pictures of a rendition were made. It is before the first of them, so that another one can be
// made alike; papers with a password have none, as nothing keeps that.
type made struct {
	From      int // first page in the document
	Watermark *pdf.Watermark
}

// mostMade is the largest number of bytes of a made.
const mostMade = 8 << 10

// begin writes how the pictures are made.
func (r *rendering) begin() error {
	text, err := json.Marshal(made{max(1, r.options.From), r.options.Watermark})
	if err != nil {
		return err
	}
	n, err := r.images.Write(text)
	r.written = int64(n)
	return err
}

// Larger draws a tile of the page of a stored picture. One that would not be like the stored picture is not found. It takes
// no place of a paper, as somebody waits for it.
func (q *Queue) Larger(ctx context.Context, r store.Rendition, stored store.Image, tile pdf.Tile) ([]byte, error) {
	how, err := q.madeHow(ctx, r, stored)
	if err != nil {
		return nil, err
	}
	file, err := q.openFile(ctx, r.PDF, r.PDFSize)
	if err != nil {
		return nil, err
	}
	defer file.Close()
	job := pdf.Job{From: stored.Page, To: stored.Page}
	if how != nil {
		job.From, job.To = job.From+how.From-1, job.To+how.From-1
		if m := how.Watermark; m != nil && (stored.Page == 1 || !m.FirstOnly) {
			job.Watermark = m
		}
	}
	p := q.processor
	p.Limits.Page = largerTime
	if how == nil { // would it be like the stored one?
		same, err := q.content(ctx, r.Images, stored.Start, stored.Bytes)
		if err != nil {
			return nil, err
		}
		if whole, err := draw(ctx, p, job, file); err != nil || !bytes.Equal(same, whole) {
			return nil, cmp.Or(err, store.ErrNotFound)
		}
	}
	job.Tile = tile
	return draw(ctx, p, job, file)
}

// draw draws one page. What the document is at fault for is not found.
func draw(ctx context.Context, p pdf.Processor, job pdf.Job, file *os.File) ([]byte, error) {
	var drawn onePage
	err := p.Process(ctx, job, file, &drawn)
	if failure := (*pdf.Failure)(nil); errors.As(err, &failure) {
		return nil, store.ErrNotFound
	}
	if err != errDrawn {
		return nil, err
	}
	return drawn.page.Images[0].JPEG, nil
}

// madeHow returns how pictures were made; nil if it is not known: then they are older.
func (q *Queue) madeHow(ctx context.Context, r store.Rendition, stored store.Image) (*made, error) {
	text, err := q.content(ctx, r.Images, 0, min(stored.Start, mostMade))
	var how made
	if err != nil || json.NewDecoder(bytes.NewReader(text)).Decode(&how) != nil {
		return nil, err
	}
	return &how, nil
}

// content returns a part of content.
func (q *Queue) content(ctx context.Context, key string, start, size int64) ([]byte, error) {
	content, err := q.Contents.Open(ctx, key, start, size)
	if err != nil {
		return nil, err
	}
	defer content.Close()
	return io.ReadAll(content)
}

// onePage is a pdf.Sink that ends the worker once it has a page.
type onePage struct{ page pdf.Page }

var errDrawn = errors.New("the page is drawn")

func (*onePage) Begin(int, []pdf.Attachment, string) error { return nil }
func (*onePage) End(pdf.Outline, pdf.Wishes) error         { return nil }
func (o *onePage) Page(p pdf.Page) error {
	o.page = p
	return errDrawn
}
