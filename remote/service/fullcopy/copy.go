package fullcopy

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"paperfs/remote/service/datadir"
	"paperfs/remote/service/store"
)

// Options say how to copy.
type Options struct {
	Verify   bool // reads all content again in the target
	Progress func(words string, done, all int)
}

// Report is the result of a copy.
type Report struct {
	Records RecordReport  `json:"records"`
	Content ContentReport `json:"content"`
}

// Copy copies everything from one place to another.
func Copy(ctx context.Context, from, to Place, o Options) (r Report, err error) {
	if (from.Database == "") == (to.Database == "") {
		return r, errors.New("a copy is between a data directory and a database with an object store")
	}
	source, err := from.source(ctx)
	if err != nil {
		return r, err
	}
	defer func() { err = errors.Join(err, source.Close()) }()
	target, err := to.target(ctx, from)
	if err != nil {
		return r, err
	}
	defer func() { err = errors.Join(err, target.Close()) }()

	// This comes first, so that no content is added to a target with other records.
	if _, err := RecordsAreThere(ctx, source.records, target.records); err != nil {
		return r, explain(to, err)
	}
	before, err := holdings(ctx, source.records)
	if err != nil {
		return r, err
	}
	if r.Content, err = content(ctx, before, source, target, o); err != nil {
		return r, err
	}
	r.Records, err = CopyRecords(ctx, source.records, target.records,
		func(named []store.Holding) error { return r.copyAdded(ctx, before, named, source, target) },
		func(table string, at, all int) { o.tell("records", at, all) })
	if err != nil {
		return r, explain(to, err)
	}
	if to.Database != "" {
		return r, nil
	}
	return r, datadir.EndCopy(to.Data)
}

func explain(to Place, err error) error {
	if errors.Is(err, ErrOtherRecords) {
		return fmt.Errorf("%s: %w. It was not changed; give a new one", to, err)
	}
	return fmt.Errorf("copy the records: %w", err)
}

func (o *Options) tell(words string, done, all int) {
	if o.Progress != nil {
		o.Progress(words, done, all)
	}
}

func holdings(ctx context.Context, records store.Store) (all []store.Holding, err error) {
	err = records.Read(ctx, func(tx store.Reader) error {
		all = nil
		return tx.Holdings(func(h store.Holding) error { all = append(all, h); return nil })
	})
	return all, err
}

func content(ctx context.Context, all []store.Holding, from, to *open, o Options) (ContentReport, error) {
	return CopyContent(ctx, all, from.contents, to.contents, ContentOptions{Verify: o.Verify,
		Progress: func(done, all int) { o.tell("contents", done, all) }})
}

// copyAdded copies what the records name now but did not when the copy began. It also retries what
// could not be copied, which may have been replaced since.
func (r *Report) copyAdded(ctx context.Context, before, named []store.Holding, from, to *open) error {
	copied := map[string]bool{}
	for _, h := range before {
		copied[h.Key] = true
	}
	for _, key := range r.Content.Failed {
		delete(copied, key)
	}
	added := slices.DeleteFunc(slices.Clone(named), func(h store.Holding) bool { return copied[h.Key] })
	more, err := CopyContent(ctx, added, from.contents, to.contents, ContentOptions{Verify: true})
	r.Content.Copied, r.Content.There, r.Content.Bytes = r.Content.Copied+more.Copied, r.Content.There+more.There, r.Content.Bytes+more.Bytes
	r.Content.Missing, r.Content.Wrong, r.Content.Failed = more.Missing, more.Wrong, more.Failed
	return err
}
