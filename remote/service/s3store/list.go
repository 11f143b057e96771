package s3store

import (
	"context"
	"strings"
	"time"

	"github.com/minio/minio-go/v7"
)

// Entries visits the objects of the place whose names are those of contents. It only informs: no
// caller removes anything because of it.
func (s *Store) Entries(ctx context.Context, visit func(key string, modified time.Time) error) error {
	ctx, stop := context.WithCancel(ctx)
	defer stop() // ends the listing
	for o := range s.core.Client.ListObjects(ctx, s.place.Bucket, minio.ListObjectsOptions{Prefix: s.place.Prefix, Recursive: true}) {
		if o.Err != nil {
			return explain(ctx, "list the objects of "+s.place.String(), o.Err)
		}
		_, key, _ := strings.Cut(strings.TrimPrefix(o.Key, s.place.Prefix), "/")
		if name, err := s.name(key); err != nil || name != o.Key {
			continue // not an object of this package
		}
		if err := visit(key, o.LastModified); err != nil {
			return err
		}
	}
	return ctx.Err()
}
