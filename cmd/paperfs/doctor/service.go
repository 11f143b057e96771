package doctor

import (
	"context"
	"errors"
	"net/url"
	"time"

	"paperfs/remote"
)

// Service checks whether a service can be used.
type Service struct {
	URL     string
	RootURL string                      // of the category shown as papers/
	Named   func(setting string) string // the flag, variable or line of a profile that a setting comes from

	Client *remote.Client
}

// Check returns the check of the connection to the service and of its answers. It sends up to two requests: one without
// credentials, and one with them for the root.
func (s Service) Check() Check {
	return Check{Name: "service", Limit: 30 * time.Second, Look: s.look}
}

func (s Service) look(ctx context.Context) []Finding {
	_, found, err := s.Client.GetPaperIDFromUrl(remote.Briefly(ctx), s.RootURL)
	e, ok := errors.AsType[*remote.Error](err)
	switch {
	case ok && e.Kind == remote.Refused: // some services answer with another code when the password is wrong
		return []Finding{failure("Check "+s.Named("username")+" and the password", "the root %q cannot be looked up: %s", s.RootURL, e.Reason()).of("credentials")}
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
