package doctor

import (
	"context"
	"maps"
	"net"
	"net/url"
	"strings"
	"time"

	"golang.org/x/net/http/httpproxy"

	"paperfs/remote"
	"paperfs/remote/shellword"
)

// Service checks whether a service can be used.
type Service struct {
	URL         string
	RootURL     string // of the category shown as papers/
	Credentials bool   // credentials are set: the check looks up the root with them
	OnlyTwenty  bool   // the mount calls no other operations
	Named       Named  // the sources of the settings

	Client *remote.Client
	Lookup func(ctx context.Context, host string) ([]string, error) // net.Resolver.LookupHost, except in tests
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

// serviceLimit bounds all requests together.
const serviceLimit = 30 * time.Second

// Check returns the check of the connection to the service and of its answers. It sends up to
// three requests: for the operations for media and for papers, and with the credentials
// for the root.
func (s Service) Check() Check {
	return Check{Name: "service", Limit: serviceLimit + DefaultLimit, Look: s.look}
}

func (s Service) look(ctx context.Context) []Finding {
	ctx, cancel := context.WithTimeout(ctx, serviceLimit)
	defer cancel()
	base, err := url.Parse(s.URL)
	if err != nil {
		return []Finding{failure("Write the address like https://host/path", "its address is not a URL")}
	}
	found := []Finding{s.name(ctx, base).of("name")}
	if found[0].Level == Failure {
		return found
	}
	told, err := s.Client.Describe(ctx, remote.GetTree.Group)
	if err != nil {
		return append(found, unreached(base, s.Named.of("url"), err))
	}
	found = append(found, s.connection(base, told).of("connection"), s.clock(told).of("clock"))
	return append(found, s.operations(ctx, told).of("operations"), s.credentials(ctx).of("credentials"))
}

// name resolves the host, unless a proxy does.
func (s Service) name(ctx context.Context, base *url.URL) Finding {
	proxy, _ := httpproxy.FromEnvironment().ProxyFunc()(base)
	if proxy != nil {
		return fine("%s is looked up by the proxy %s", base.Hostname(), proxy.Host)
	}
	if net.ParseIP(base.Hostname()) != nil {
		return fine("%s is an IP address", base.Hostname())
	}
	addresses, err := s.Lookup(ctx, base.Hostname())
	if err != nil {
		f := explain(base, s.Named.of("url"), err)
		f.Level = Failure
		return f
	}
	return fine("%s resolves to %s", base.Hostname(), strings.Join(addresses, ", "))
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

// operations compares the WSDL with the operations that a mount calls.
func (s Service) operations(ctx context.Context, told *remote.Description) Finding {
	names := told.Operations
	if more, err := s.Client.Describe(ctx, remote.GetAllPapers.Group); err == nil {
		maps.Copy(names, more.Operations)
	}
	if len(names) == 0 {
		return warning("", "the service has no WSDL, so the operations that it offers are not known")
	}
	groups := map[string]bool{}
	for _, op := range remote.Operations {
		groups[op.Group] = groups[op.Group] || names[op.Name]
	}
	var basic, further []string
	count := 0
	for _, op := range remote.Operations {
		switch {
		case names[op.Name]:
			count++
		case !groups[op.Group] || !op.Served:
			// the WSDL was not read, or paperfs never calls the operation
		case op.Extended:
			further = append(further, op.Name)
		default:
			basic = append(basic, op.Name)
		}
	}
	switch {
	case len(basic) > 0:
		return failure("Check that "+s.Named.of("url")+" is the address of the right service", "the service lacks %s, without which a mount does not work", strings.Join(basic, ", "))
	case len(further) > 0 && !s.OnlyTwenty:
		return warning("Run: paperfs help requests, which lists the commands that need them", "the service offers %d for papers and media, but not %s", count, strings.Join(further, ", "))
	}
	return fine("the service offers %d for papers and media", count)
}

// credentials looks up the root with the credentials.
func (s Service) credentials(ctx context.Context) Finding {
	if !s.Credentials {
		return warning("Set PAPERFS_USERNAME and PAPERFS_PASSWORD_FILE, and run doctor again", "not checked: none are set for %s", s.URL)
	}
	_, found, err := s.Client.GetPaperIDFromUrl(ctx, s.RootURL)
	if e, ok := asRemote(err); ok {
		return s.refused(e)
	}
	switch {
	case err != nil:
		return failure("", "the root cannot be looked up: %v", err)
	case !found:
		return failure("Set --root-url or --root-id to a category of the service", "accepted, but the service has nothing at the address %q", s.RootURL)
	}
	return fine("accepted; the root is %s", s.RootURL)
}

func (s Service) refused(e *remote.Error) Finding {
	check := "Check " + s.Named.of("username") + " and the password"
	switch {
	case e.Kind == remote.Refused && e.Code == remote.LoginSecurityViolation:
		return failure(check, "the service refuses the user name or the password: %s", e.Reason())
	case e.Kind == remote.Refused:
		return failure(check, "the root %q cannot be looked up: %s (some services answer this when the user name or the password is wrong)", s.RootURL, e.Reason())
	case e.Kind == remote.Throttled:
		return warning("Wait a minute, and run doctor again; paperfs mount --rpm sets fewer requests", "not checked: %s", e.Reason())
	case e.Kind == remote.Broken && e.Foreign:
		return failure("Run: curl -s "+shellword.Quote(s.URL)+" (and check "+s.Named.of("url")+")", "another server answers: %s", e.Reason())
	}
	return failure("Run: curl -sI "+shellword.Quote(s.URL), "the root cannot be looked up: %s", e.Reason())
}

// Unusable returns a failure for contradictory settings.
func Unusable(check string, err error) Check {
	return one(check, func() Finding { return failure("", "%v", err) })
}
