package config

import (
	"errors"
	"fmt"
	"log/slog"
	"strconv"
	"time"

	"paperfs/cache/content/localname"
	"paperfs/cmd/paperfs/cli"
	"paperfs/cmd/paperfs/profile"
	"paperfs/fs/inode"
)

// Settings are the checked values of flags, environment and profile.
type Settings struct {
	Password string
	RPM      int
	Owner    inode.Owner
	Zone     *time.Location
	Names    localname.Names
	Cache    int64 // bytes of published content to cache
	Log      *slog.Logger
}

func (c *Config) Check() (s Settings, err error) {
	if err = c.CheckService(); err != nil {
		return s, err
	}
	if !c.Embedded() && c.Sources["data"].Rank > byDefault && c.Sources["data"].Rank >= c.Sources["url"].Rank {
		return s, &cli.UsageError{Err: fmt.Errorf("%s is for the embedded service, but %s names another: give one of them", c.NameOf("data"), c.NameOf("url"))}
	}
	if s, err = c.CheckWithoutPassword(); err != nil {
		return s, err
	}
	s.Password, err = c.FindPassword()
	return s, err
}

// CheckWithoutPassword returns the settings without the password.
func (c *Config) CheckWithoutPassword() (s Settings, err error) {
	if c.RootID != 0 && c.RootURL != "/" {
		return s, &cli.UsageError{Err: errors.New("give either --root-id or --root-url, not both")}
	}
	if err = checkValues(c, func(flag string) string { return c.NameOf(KeyOf(flag)) }); err != nil {
		return s, err
	}
	s.RPM = c.RequestLimit()
	if s.Owner.Umask, err = c.umask(); err != nil {
		return s, err
	}
	s.Owner.UID, s.Owner.GID = uint32(c.UID), uint32(c.GID)
	if s.Zone, err = c.zone(); err != nil {
		return s, err
	}
	if err = c.checkPDFOptions(); err != nil {
		return s, err
	}
	if c.AllowDelete && c.NoDelete {
		return s, &cli.UsageError{Err: errors.New("--allow-delete and --no-delete contradict each other: give one of them")}
	}
	if s.Names, err = localname.New(c.Local); err != nil {
		return s, &cli.UsageError{Err: fmt.Errorf("--local %w", err)}
	}
	if s.Cache, err = c.cacheSize(); err != nil {
		return s, err
	}
	s.Log, err = c.Logger()
	return s, err
}

// CheckService refuses a half-configured service.
func (c *Config) CheckService() error {
	credentials := c.Username != "" || c.HasPassword()
	switch {
	case c.Embedded() && credentials && c.profile.Name == "":
		return &cli.UsageError{Err: errors.New("PAPERFS_URL is not set, but a user name or password is: set all of PAPERFS_URL, PAPERFS_USERNAME and PAPERFS_PASSWORD, or none for the embedded service")}
	case c.Embedded() && credentials:
		return &cli.UsageError{Err: fmt.Errorf("%s is not set, but a user name or password is: set all three, or none for the embedded service", c.NameOf("url"))}
	case c.Embedded():
		return nil
	case c.Username == "":
		return &cli.UsageError{Err: fmt.Errorf("%s is not set", c.NameOf("username"))}
	case !c.HasPassword() && !profile.CanAsk():
		return &cli.UsageError{Err: fmt.Errorf("neither %s nor %s is set, and there is no terminal to ask on", c.NameOf(profile.PasswordKey), c.NameOf("password_file"))}
	}
	return c.checkPasswordIsForService()
}

// checkPasswordIsForService refuses to send a profile's password to another service than the
// profile's.
func (c *Config) checkPasswordIsForService() error {
	s, there := c.profile.Settings["url"]
	for _, key := range PasswordKeys {
		if c.Sources[key].Rank == inProfile && c.Sources["url"].Rank != inProfile && (!there || s.Value != c.URL) {
			return &cli.UsageError{Err: fmt.Errorf("%s is %s, and %s is for another service: set PAPERFS_PASSWORD too, or leave out %s", c.Sources["url"].Name, c.URL, c.NameOf(key), c.Sources["url"].Name)}
		}
	}
	return nil
}

// RequestLimit returns the mount's limit of requests a minute, or 0 for none.
func (c *Config) RequestLimit() int {
	switch {
	case c.RPM != unset:
		return c.RPM
	case c.Embedded():
		return 0
	}
	return remoteRPM
}

// cacheSize returns the limit of the content cache in bytes.
func (c *Config) cacheSize() (int64, error) {
	size, ok := cli.Size(c.CacheSize)
	if !ok {
		return 0, &cli.UsageError{Err: fmt.Errorf("--cache-size %q: give a size such as 500MiB or 1.5GiB", c.CacheSize)}
	}
	return max(size, 1), nil // 0 caches nothing; the store takes 0 for its default
}

// zone returns the time zone of the mount.
func (c *Config) zone() (*time.Location, error) {
	if c.Timezone == "" {
		return time.Local, nil
	}
	zone, err := time.LoadLocation(c.Timezone)
	if err != nil {
		return nil, &cli.UsageError{Err: fmt.Errorf("--timezone %q: this machine knows no such zone (%w): give a name such as Europe/Berlin or UTC; they come with the package tzdata", c.Timezone, err)}
	}
	return zone, nil
}

func (c *Config) umask() (uint32, error) {
	mask, err := strconv.ParseUint(c.Umask, 8, 32)
	if err != nil || mask > 0o777 {
		return 0, &cli.UsageError{Err: fmt.Errorf("--umask %q: give an octal number up to 777", c.Umask)}
	}
	return uint32(mask), nil
}
