package config

import (
	"errors"
	"fmt"

	"paperfs/cmd/paperfs/cli"
	"paperfs/remote"
)

func (c *Config) ClientOptions(s Settings) remote.Options {
	return remote.Options{
		BaseURL: c.URL, Username: c.Username, Password: s.Password,
		OnlyTwenty: c.OnlyTwenty, EscapeAll: c.EscapeAll, AllowPlainHTTP: c.AllowPlainHTTP, CAFile: c.CAFile, ContentHosts: c.ContentHosts,
		RPM: s.RPM, RPMTold: c.RPM == unset, MaxWait: c.MaxWait, Log: s.Log,
	}
}

// NewClient is remote.New, but reports errors as wrong settings.
func NewClient(o remote.Options) (*remote.Client, error) {
	client, err := remote.New(o)
	if _, ok := errors.AsType[*remote.PlainHTTPError](err); ok {
		err = fmt.Errorf("%w (--allow-plain-http)", err)
	}
	if err != nil {
		return nil, &cli.UsageError{Err: err}
	}
	return client, nil
}
