package s3store

import (
	"context"
	"fmt"
	"io"

	"github.com/minio/minio-go/v7"
)

// begin sends the full part in the background.
func (d *draft) begin() error {
	if err := d.wait(); err != nil {
		return err
	}
	if err := d.intend(); err != nil {
		return err
	}
	name, err := d.store.name(d.key)
	if err != nil {
		return err
	}
	if d.upload == "" {
		ctx, cancel := bounded(d.ctx)
		defer cancel()
		if d.copied {
			if err := d.store.core.RemoveIncompleteUpload(ctx, d.store.place.Bucket, name); err != nil {
				return explain(d.ctx, "remove what was sent of content before", err)
			}
		}
		if err := d.beginUpload(ctx, name); err != nil {
			return err
		}
	}
	if d.spare == nil {
		if d.spare, err = d.store.parts.take(); err != nil {
			return err
		}
	}
	number := len(d.sent) + 1
	if number > maxParts {
		return fmt.Errorf("content is larger than %d GiB, which is the limit", int64(partSize)*maxParts>>30)
	}
	ctx, cancel := bounded(d.ctx)
	d.stop, d.sending = cancel, make(chan sentPart, 1)
	part, upload, sending := d.part, d.upload, d.sending
	go func() { sending <- d.store.sendPart(ctx, name, upload, number, part) }()
	d.part, d.spare = d.spare[:0], part
	return nil
}

// wait waits for the part that is being sent.
func (d *draft) wait() error {
	if d.sending == nil {
		return nil
	}
	came := <-d.sending
	d.sending = nil
	d.stop()
	if came.err != nil {
		return came.err
	}
	d.sent = append(d.sent, came.part)
	return nil
}

func (s *Store) sendPart(ctx context.Context, name, upload string, number int, part []byte) (sent sentPart) {
	sent.part.PartNumber = number
	sent.err = s.send(ctx, part, func(b io.Reader, sum string) error {
		done, err := s.once.PutObjectPart(ctx, s.place.Bucket, name, upload, number, b, int64(len(part)),
			minio.PutObjectPartOptions{Sha256Hex: sum, DisableContentSha256: true})
		sent.part.ETag = done.ETag
		return err
	})
	return sent
}

// beginUpload starts a multipart upload. If an answer is lost, an upload may exist whose id is
// unknown.
func (d *draft) beginUpload(ctx context.Context, name string) error {
	return d.store.repeat(ctx, "begin to send content", func() (err error) {
		d.upload, err = d.store.once.NewMultipartUpload(ctx, d.store.place.Bucket, name, minio.PutObjectOptions{DisableMultipart: true})
		d.others = d.others || err != nil
		return err
	})
}

// abortOthers ends the uploads with unknown ids. That must happen before the content is kept: the
// janitor leaves kept content alone.
func (d *draft) abortOthers() error {
	if !d.others {
		return nil
	}
	name, err := d.store.name(d.key)
	if err != nil {
		return err
	}
	ctx, cancel := bounded(d.ctx)
	defer cancel()
	place := d.store.place
	for other := range d.store.core.ListIncompleteUploads(ctx, place.Bucket, name, true) {
		err := other.Err
		if err == nil && other.UploadID != d.upload && other.Key == name {
			err = d.store.core.AbortMultipartUpload(ctx, place.Bucket, name, other.UploadID)
		}
		if err != nil && minio.ToErrorResponse(err).Code != minio.NoSuchUpload { // the answer of an earlier attempt was lost
			return explain(d.ctx, "remove what was begun of content before", err)
		}
	}
	return nil
}
