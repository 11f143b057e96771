package s3store

import (
	"errors"
	"io"

	"github.com/minio/minio-go/v7"

	"paperfs/remote/service/store"
)

// Commit implements store.Draft.
func (d *draft) Commit() (string, error) {
	if d.failed == nil {
		d.fail(d.commit())
	}
	if d.failed != nil {
		d.Discard()
		return "", d.failed
	}
	d.upload = "" // nothing left to discard
	d.release()
	return d.key, nil
}

func (d *draft) commit() error {
	if d.upload == "" {
		return d.sendWhole()
	}
	if len(d.part) > 0 {
		if err := d.begin(); err != nil {
			return err
		}
	}
	if err := d.wait(); err != nil {
		return err
	}
	if err := d.intend(); err != nil {
		return err
	}
	if err := d.abortOthers(); err != nil {
		return err
	}
	return d.complete()
}

// sendWhole sends content that fits in one part.
func (d *draft) sendWhole() error {
	if err := d.intend(); err != nil {
		return err
	}
	name, err := d.store.name(d.key)
	if err != nil {
		return err
	}
	ctx, cancel := bounded(d.ctx)
	defer cancel()
	return d.store.send(ctx, d.part, func(b io.Reader, sum string) error {
		_, err := d.store.once.PutObject(ctx, d.store.place.Bucket, name, b, int64(len(d.part)), "", sum,
			minio.PutObjectOptions{DisableContentSha256: true, DisableMultipart: true})
		return err
	})
}

// complete assembles the object from the parts. If the answer is lost, the object itself shows
// the outcome: no other draft creates an object of this key, and the store never creates it from
// only some of the parts.
func (d *draft) complete() error {
	name, err := d.store.name(d.key)
	if err != nil {
		return err
	}
	ctx, cancel := bounded(d.ctx)
	defer cancel()
	_, err = d.store.core.CompleteMultipartUpload(ctx, d.store.place.Bucket, name, d.upload, d.sent, minio.PutObjectOptions{})
	if err == nil {
		return nil
	}
	err = explain(d.ctx, "put content together", err)
	size, missing := d.store.Size(ctx, d.key)
	if missing != nil || size != d.all {
		return errors.Join(err, store.IgnoreNotFound(missing))
	}
	return nil
}

// Restart implements store.Draft. The new attempt gets a new key.
func (d *draft) Restart() error {
	d.Discard()
	*d = draft{store: d.store, ctx: d.ctx}
	return d.ctx.Err()
}

// Discard implements store.Draft. The ledger has the content as intended, so the janitor removes
// whatever Discard cannot.
func (d *draft) Discard() {
	if d.sending != nil {
		d.stop()
		_ = d.wait()
	}
	d.release()
	if d.upload == "" {
		return
	}
	s, upload := d.store, d.upload
	name, err := s.name(d.key)
	d.upload = ""
	if err == nil {
		s.background.Go(func() { s.abort(name, upload) })
	}
}

func (s *Store) abort(name, upload string) {
	ctx, cancel := bounded(s.closing)
	defer cancel()
	_ = s.core.AbortMultipartUpload(ctx, s.place.Bucket, name, upload)
}
