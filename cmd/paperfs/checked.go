package main

import (
	"errors"
	"fmt"
	"log/slog"
	"math"
	"os"
	"paperfs/cache/media/localname"
	"paperfs/cmd/paperfs/usage"
	"paperfs/fs/attr"
)

// mountSettings are what flags and environment say, checked.
type mountSettings struct {
	password string
	rpm      int
	owner    attr.Owner
	names    localname.Names
	cache    int64 // bytes of published content that are kept
	log      *slog.Logger
}

func (c *Config) mountSettings() (s mountSettings, err error) {
	if err = c.checkService(); err != nil {
		return s, err
	}
	if !c.Embedded() && c.sources["data"].rank > byDefault && c.sources["data"].rank >= c.sources["url"].rank {
		return s, &usage.Error{Err: fmt.Errorf("%s is for the embedded service, but %s names another: give one of them", c.nameOf("data"), c.nameOf("url"))}
	}
	if s, err = c.checkedSettings(); err != nil {
		return s, err
	}
	s.password, err = c.password()
	return s, err
}

// checkedSettings are those without the password.
func (c *Config) checkedSettings() (s mountSettings, err error) {
	if c.RootID != 0 && c.RootURL != "/" {
		return s, &usage.Error{Err: errors.New("give either --root-id or --root-url, not both")}
	}
	if c.TreeTTL < 0 || c.DocumentTTL < 0 || c.MaxWait < 0 {
		return s, &usage.Error{Err: errors.New("--tree-ttl, --document-ttl and --max-wait cannot be negative")}
	}
	if s.rpm, err = c.rpm(); err != nil {
		return s, err
	}
	if s.owner.Umask, err = c.umask(); err != nil {
		return s, err
	}
	for flag, id := range map[string]int{"uid": c.UID, "gid": c.GID} {
		if id != unset && (id < 0 || id >= math.MaxUint32) {
			return s, &usage.Error{Err: fmt.Errorf("--%s %d: give a number of 0 to %d", flag, id, math.MaxUint32-1)}
		}
	}
	s.owner.UID, s.owner.GID = uint32(os.Getuid()), uint32(os.Getgid())
	if c.UID >= 0 {
		s.owner.UID = uint32(c.UID)
	}
	if c.GID >= 0 {
		s.owner.GID = uint32(c.GID)
	}
	if s.names, err = localname.New(c.Local); err != nil {
		return s, &usage.Error{Err: fmt.Errorf("--local %w", err)}
	}
	if s.cache, err = c.cacheSize(); err != nil {
		return s, err
	}
	s.log, err = c.logger()
	return s, err
}
