package doctor

import (
	"context"
	"errors"
	"net"
	"net/url"
	"strings"
	"time"

	"paperfs/remote"
	"paperfs/remote/shellword"
)

// Service checks whether a service can be used.
type Service struct {
	URL         string
	RootURL     string // of the category shown as papers/
	Credentials bool   // credentials are set: the check looks up the root with them
	Named       Named  // the sources of the settings

	Client *remote.Client
	Now    func() time.Time
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
	base, err := url.Parse(s.URL)
	if err != nil {
		return []Finding{failure("Write the address like https://host/path", "its address is not a URL")}
	}
	told, err := s.Client.Describe(ctx)
	if err != nil {
		f, _ := explain(base, err)
		return []Finding{f.of("connection")}
	}
	return []Finding{s.connection(base, told).of("connection"), s.clock(told).of("clock"), s.credentials(ctx).of("credentials")}
}

// soon is how long before its end a certificate causes a warning.
const soon = 14 * 24 * time.Hour

func (s Service) connection(base *url.URL, told *remote.Description) Finding {
	if told.Certificate == nil {
		if base.Scheme == "http" && net.ParseIP(base.Hostname()).IsLoopback() || base.Hostname() == "localhost" {
			return fine("by plain http, on this machine")
		}
		return warning("Use https", "by plain http: others on the network can read the password")
	}
	end := told.Certificate.NotAfter
	if left := end.Sub(s.Now()); left < soon {
		return warning("Have the service's certificate renewed", "by TLS; its certificate ends in %d days, on %s", int(left.Hours()/24), end.Format(time.DateOnly))
	}
	return fine("by TLS; its certificate is valid until %s", end.Format(time.DateOnly))
}

// clockLimit is how much the two clocks may differ: publication periods and preview links
// are exact to the minute.
const clockLimit = 2 * time.Minute

func (s Service) clock(told *remote.Description) Finding {
	if told.Date.IsZero() {
		return warning("", "the service does not send its time")
	}
	ahead := s.Now().Sub(told.Date)
	if ahead.Abs() <= clockLimit {
		return fine("agrees with the service's, within two minutes")
	}
	way := "ahead of"
	if ahead < 0 {
		way = "behind"
	}
	return warning("Run: timedatectl (and as root: timedatectl set-ntp true)",
		"the clock here is %s %s the service's, so paperfs judges publication periods and preview links wrongly", ahead.Abs().Round(time.Second), way)
}

// credentials looks up the root with the credentials.
func (s Service) credentials(ctx context.Context) Finding {
	if !s.Credentials {
		return warning("Set PAPERFS_USERNAME and PAPERFS_PASSWORD_FILE, and run doctor again", "not checked: none are set for %s", s.URL)
	}
	_, found, err := s.Client.GetPaperIDFromUrl(ctx, s.RootURL)
	e, ok := errors.AsType[*remote.Error](err)
	switch {
	case ok && e.Kind == remote.Refused: // some services answer with another code when the password is wrong
		return failure("Check "+s.Named.of("username")+" and the password", "the root %q cannot be looked up: %s", s.RootURL, e.Reason())
	case err != nil:
		return failure("Run: curl -sI "+shellword.Quote(s.URL)+" (and check "+s.Named.of("url")+")", "the root %q cannot be looked up: %v", s.RootURL, err)
	case !found:
		return failure("Set --root-url or --root-id to a category of the service", "accepted, but the service has nothing at the address %q", s.RootURL)
	}
	return fine("accepted; the root is %s", s.RootURL)
}

// Unusable returns a failure for contradictory settings.
func Unusable(check string, err error) Check {
	return one(check, func() Finding { return failure("", "%v", err) })
}
