package doctor

import (
	"context"
	"errors"
	"fmt"
	"net/url"
	"time"

	"paperfs/remote"
)

// Service checks whether a service can be used.
type Service struct {
	URL     string
	RootURL string                      // of the category shown as papers/
	RootID  int64                       // of that category, in place of RootURL, unless it is 0
	Named   func(setting string) string // the flag, variable or line of a profile that a setting comes from

	Client *remote.Client
}

// Check returns the check of the connection to the service and of its answers. It sends up to two requests: one without
// credentials, and one with them for the root.
func (s Service) Check() Check {
	return Check{Name: "service", Limit: 30 * time.Second, Look: s.look}
}

func (s Service) look(ctx context.Context) []Finding {
	found, root, where, err := true, s.RootURL, fmt.Sprintf("at the address %q", s.RootURL), error(nil)
	if ctx := remote.Briefly(ctx); s.RootID == 0 {
		_, found, err = s.Client.GetPaperIDFromUrl(ctx, s.RootURL)
	} else {
		root = fmt.Sprintf("id %d", s.RootID)
		where = "with the " + root
		_, err = s.Client.GetPaperUrlFromID(ctx, s.RootID)
	}
	e, ok := errors.AsType[*remote.Error](err)
	switch {
	case !found && err == nil, ok && e.Code == remote.PaperDoesNotExist:
		return []Finding{failure("Set --root-url or --root-id to a category of the service", "accepted, but the service has nothing %s", where).of("credentials")}
	case ok && e.Kind == remote.Refused: // some services answer with another code when the password is wrong
		return []Finding{failure("Check "+s.Named("username")+" and the password", "the root %q cannot be looked up: %s", root, e.Reason()).of("credentials")}
	case err != nil:
		base, _ := url.Parse(s.URL) // the client has taken it
		f, _ := explain(base, err)
		return []Finding{f.of("connection")}
	}
	return []Finding{fine("accepted; the root is %s", root).of("credentials")}
}

// Unusable returns a failure for contradictory settings.
func Unusable(check string, err error) Check {
	return one(check, func() Finding { return failure("", "%v", err) })
}
