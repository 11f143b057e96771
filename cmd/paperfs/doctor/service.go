package doctor

import (
	"context"
	"errors"
	"net/url"
	"strings"
	"time"

	"paperfs/remote"
)

// Service checks whether a service can be used.
type Service struct {
	URL         string
	RootURL     string // of the category shown as papers/
	Credentials bool   // credentials are set: the check looks up the root with them
	Named       Named  // the sources of the settings

	Client *remote.Client
}

// Named returns the name of a setting, such as url, as its user knows it: the flag, variable
// or line of a profile that it comes from. A nil Named names the variables.
type Named func(setting string) string

func (n Named) of(setting string) string {
	if n == nil {
		return "PAPERFS_" + strings.ToUpper(setting)
	}
	return n(setting)
}

// Check returns the check of the connection to the service and of its answers. It sends up to two requests: one without
// credentials, and one with them for the root.
func (s Service) Check() Check {
	return Check{Name: "service", Limit: 30 * time.Second, Look: s.look}
}

func (s Service) look(ctx context.Context) []Finding {
	if !s.Credentials {
		return []Finding{warning("Set PAPERFS_USERNAME and PAPERFS_PASSWORD_FILE, and run doctor again", "not checked: none are set for %s", s.URL).of("credentials")}
	}
	_, found, err := s.Client.GetPaperIDFromUrl(remote.Briefly(ctx), s.RootURL)
	e, ok := errors.AsType[*remote.Error](err)
	switch {
	case ok && e.Kind == remote.Refused: // some services answer with another code when the password is wrong
		return []Finding{failure("Check "+s.Named.of("username")+" and the password", "the root %q cannot be looked up: %s", s.RootURL, e.Reason()).of("credentials")}
	case err != nil:
		base, _ := url.Parse(s.URL) // the client has taken it
		f, _ := explain(base, err)
		return []Finding{f.of("connection")}
	case !found:
		return []Finding{failure("Set --root-url or --root-id to a category of the service", "accepted, but the service has nothing at the address %q", s.RootURL).of("credentials")}
	}
	return []Finding{fine("accepted; the root is %s", s.RootURL).of("credentials")}
}

// Unusable returns a failure for contradictory settings.
func Unusable(check string, err error) Check {
	return one(check, func() Finding { return failure("", "%v", err) })
}
