package service

import (
	"context"
	"errors"
	"io/fs"

	"paperfs/remote/service/datadir"
	"paperfs/remote/service/store"
)

// WriteClientEnv updates PAPERFS_URL and PAPERFS_RPM in client.env of the data
// directory. It does not create the file again: its key is not stored anywhere else.
func (s *Service) WriteClientEnv(url string, rpm int) error {
	// Within a change, because an administrator changes the key of the file within one.
	return s.store.Write(context.Background(), store.AllTenants, func(store.Writer) error { return s.updateClientEnv(url, rpm) })
}

func (s *Service) updateClientEnv(url string, rpm int) error {
	env, err := datadir.ReadClientEnv(s.options.Data)
	if errors.Is(err, fs.ErrNotExist) {
		s.log.Info("no client.env to update", "dir", s.options.Data)
		return nil
	}
	if err != nil {
		return err
	}
	if env.URL == url && env.RPM == rpm {
		return nil
	}
	env.URL, env.RPM = url, rpm
	return datadir.WriteClientEnv(s.options.Data, env)
}
