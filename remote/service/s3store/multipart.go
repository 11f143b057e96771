package s3store

import (
	"context"

	"github.com/minio/minio-go/v7"
)

// beginUpload begins a multipart upload. Where an answer is lost, there may be one of
// which nobody has the id.
func (d *draft) beginUpload(ctx context.Context, name string) error {
	return d.store.repeat(ctx, "begin to send content", func() (err error) {
		d.upload, err = d.store.once.NewMultipartUpload(ctx, d.store.place.Bucket, name, minio.PutObjectOptions{DisableMultipart: true})
		d.others = d.others || err != nil
		return err
	})
}

// abortOthers ends the uploads whose ids did not come, before the content can be kept:
// of that the janitor removes nothing.
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
		if err != nil && minio.ToErrorResponse(err).Code != minio.NoSuchUpload { // the answer of an attempt before was lost
			return explain(d.ctx, "remove what was begun of content before", err)
		}
	}
	return nil
}
