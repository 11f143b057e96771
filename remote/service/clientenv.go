package service

import (
	"context"
	"errors"
	"io/fs"

	"paperfs/remote/service/datadir"
	"paperfs/remote/service/store"
)

// WriteClientEnv brings PAPERFS_URL and PAPERFS_RPM in the data directory's
// client.env up to date. A file that somebody removed stays removed: nobody
// knows its key any more.
func (s *Service) WriteClientEnv(url string, rpm int) error {
	// As a change, because an administrator may be giving it another key as one.
	return s.store.Write(context.Background(), store.AllTenants, func(store.Writer) error { return s.updateClientEnv(url, rpm) })
}

func (s *Service) updateClientEnv(url string, rpm int) error {
	env, err := datadir.ReadClientEnv(s.options.Data)
	if errors.Is(err, fs.ErrNotExist) {
		s.log.Info("no client.env to bring up to date", "dir", s.options.Data)
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
