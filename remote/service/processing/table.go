package processing

import (
	"context"
	"io"

	"paperfs/remote/service/reader"
	"paperfs/remote/service/store"
)

// openTable reads the table of products that the options name from the tenant's media
// library. A bad table is a problem of the job, not an error.
func (q *Queue) openTable(ctx context.Context, w store.Work, name string, e *enrichment) error {
	if name == "" {
		return nil
	}
	var file store.File
	title := enrichmentDir + "/" + name + ".csv"
	err := q.store.Read(ctx, func(tx store.Reader) (err error) {
		if file, err = reader.FileAt(tx, w.Tenant, title); err == nil && file.Content == "" {
			file.Small, err = tx.SmallContent(file.ID)
		}
		return err
	})
	switch {
	case store.IsNotFound(err):
		e.unreadable("There is no media file %s.", title)
		return nil
	case err != nil:
		return err
	case file.Size > mostTable:
		e.unreadable("The media file %s is larger than %d MiB.", title, mostTable>>20)
		return nil
	case file.Content == "":
		e.add(title, file.Small)
		return nil
	}
	content, err := q.Contents.Open(ctx, file.Content, 0, file.Size)
	if store.IsNotFound(err) {
		e.unreadable("The media file %s was replaced while it was read.", title)
		return nil
	}
	if err != nil {
		return err
	}
	defer content.Close()
	text, err := io.ReadAll(content)
	if err == nil {
		e.add(title, text)
	}
	return err
}

const (
	enrichmentDir = "enrichment"
	mostTable     = 64 << 20 // bytes
)
