package service

import (
	"context"
	"fmt"
	"os"

	"paperfs/remote/service/address"
	"paperfs/remote/service/store"
)

// files are contents that lie whole in files of this machine.
type files interface {
	File(key string) (*os.File, error)
}

// MediaFile opens, for this process, the file that has the content of a media file: of the tenant of a
// host, if the content has the SHA-256. Nothing changes the file, and it stays readable after its
// removal. store.ErrNotFound: the media file has other content, or no file of its own.
func (s *Service) MediaFile(ctx context.Context, host string, id int64, sha256 [32]byte) (*os.File, error) {
	contents, ok := s.contents.(files)
	if !ok {
		return nil, fmt.Errorf("the contents are not files of this machine: %w", store.ErrNotFound)
	}
	var file store.File
	err := s.store.Read(ctx, func(tx store.Reader) error {
		tenant, err := tx.TenantByHost(address.Host(host))
		if err == nil {
			file, err = tx.File(tenant.ID, id)
		}
		return err
	})
	switch {
	case err != nil:
		return nil, err
	case file.SHA256 != sha256 || file.Content == "":
		return nil, store.ErrNotFound
	}
	return contents.File(file.Content)
}
