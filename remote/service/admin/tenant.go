package admin

import (
	"errors"
	"fmt"
	"net/url"
	"slices"
	"strings"
	"time"

	"paperfs/remote/rules"
	"paperfs/remote/service/address"
	"paperfs/remote/service/store"
)

// TenantSettings are the settings of a tenant that an administrator controls.
type TenantSettings struct {
	ID   int64 // set by Tenants and Tenant; AddTenant and ChangeTenant use the name
	Name string
	// Hosts are the host names that select the tenant. The tenant default answers all names that
	// select no other.
	Hosts []string
	// RootURL is the path of the root category: / or, for example, /acme/. "" means /.
	RootURL string
	// PublicURL is the start of addresses in answers, if it is to differ from that of the
	// request: scheme, host, perhaps a path.
	PublicURL string
	// Processings is how many more PDFs may be processed; nil = no limit.
	Processings *int64
	// NoOrders excludes the order queries from the licence.
	NoOrders bool
	// Quota limits what the tenant may have. Used is its usage, with the PDF time of this month;
	// AddTenant and ChangeTenant ignore it. The administrator's own import may
	// exceed the quota.
	Quota store.Quota
	Used  store.Usage
	// Keep says for how long deleted and replaced things are kept.
	Keep store.Keep
}

// AddTenant creates a tenant with an empty root category.
func (m *Admin) AddTenant(t TenantSettings) error {
	record, err := t.record()
	if err != nil {
		return err
	}
	return m.write(func(tx store.Writer) error {
		if _, err := tx.TenantByName(t.Name); err == nil {
			return fmt.Errorf("tenant %s already exists", t.Name)
		}
		_, err := tx.AddTenant(record)
		return hostTaken(err)
	})
}

// ChangeTenant changes settings of a tenant, except its name. It reads and writes them in one
// change, so that no concurrent change is lost, nor a PDF that is counted in the meantime. change
// must not wait for other changes. ChangeTenant returns its error.
func (m *Admin) ChangeTenant(name string, change func(*TenantSettings) error) error {
	return m.writeTenant(name, func(tx store.Writer, old store.Tenant) error {
		settings := settingsOf(old)
		if err := change(&settings); err != nil {
			return err
		}
		record, err := settings.record()
		if err != nil {
			return err
		}
		record.ID = old.ID
		return hostTaken(tx.SetTenant(record))
	})
}

func hostTaken(err error) error {
	if errors.Is(err, store.ErrTaken) {
		return errors.New("one of the host names already selects another tenant")
	}
	return err
}

// Tenants lists all tenants by name.
func (m *Admin) Tenants() ([]TenantSettings, error) {
	var all []TenantSettings
	err := m.read(func(tx store.Reader) error {
		tenants, err := tx.Tenants()
		for _, t := range tenants {
			settings, err := withUsage(tx, t)
			if err != nil {
				return err
			}
			all = append(all, settings)
		}
		return err
	})
	return all, err
}

// Tenant returns the settings of one tenant.
func (m *Admin) Tenant(name string) (settings TenantSettings, err error) {
	err = m.read(func(tx store.Reader) error {
		t, err := tenantNamed(tx, name)
		if err != nil {
			return err
		}
		settings, err = withUsage(tx, t)
		return err
	})
	return settings, err
}

func withUsage(tx store.Reader, t store.Tenant) (settings TenantSettings, err error) {
	settings = settingsOf(t)
	settings.Used, err = tx.Usage(t.ID, time.Now())
	return settings, err
}

func settingsOf(t store.Tenant) TenantSettings {
	return TenantSettings{t.ID, t.Name, t.Hosts, t.RootURL, t.PublicURL, t.Processings, !t.Orders, t.Quota, store.Usage{}, t.Keep}
}

// record validates the settings and converts them to a record.
func (t TenantSettings) record() (store.Tenant, error) {
	r := store.Tenant{Name: t.Name, RootURL: t.RootURL, PublicURL: t.PublicURL, Processings: t.Processings, Orders: !t.NoOrders, Quota: t.Quota, Keep: t.Keep}
	if r.RootURL == "" {
		r.RootURL = "/"
	}
	if err := checkLabel("tenant", t.Name); err != nil {
		return r, err
	}
	if rules.ReservedAddress(r.RootURL) {
		return r, fmt.Errorf("root URL %q: the service itself uses the addresses below it", t.RootURL)
	}
	if !isRootURL(r.RootURL) {
		return r, fmt.Errorf("root URL %q: it has to be / or a path like /acme/ of A-Z a-z 0-9 - _ . ~", t.RootURL)
	}
	if t.Processings != nil && *t.Processings < 0 {
		return r, fmt.Errorf("processings left: %d is negative", *t.Processings)
	}
	if days := t.Keep.ForDays(); days < 0 || days > maxKeepDays {
		return r, fmt.Errorf("days for which deleted things are kept: %d is not 0 to %d", days, maxKeepDays)
	}
	for what, quota := range map[string]*int64{"media bytes": t.Quota.MediaBytes, "papers": t.Quota.Papers, "PDF minutes": t.Quota.PDFMinutes, "bytes kept": t.Keep.Bytes} {
		if quota != nil && *quota < 0 {
			return r, fmt.Errorf("quota of %s: %d is negative", what, *quota)
		}
	}
	if t.PublicURL != "" {
		u, err := url.Parse(t.PublicURL)
		if err != nil || (u.Scheme != "http" && u.Scheme != "https") || u.Host == "" || u.RawQuery != "" || u.Fragment != "" || u.User != nil {
			return r, fmt.Errorf("public URL %q: it has to be like https://papers.example.org", t.PublicURL)
		}
	}
	for _, host := range t.Hosts {
		name := address.Host(host)
		if !address.PossibleHost(host) {
			return r, fmt.Errorf("host name %q: it has to be one name like papers.example.org (xn--… for other letters) or one IP address, without scheme, path and wildcard", host)
		}
		if !slices.Contains(r.Hosts, name) {
			r.Hosts = append(r.Hosts, name)
		}
	}
	return r, nil
}

// maxKeepDays is the longest time for which deleted things can be kept.
const maxKeepDays = 3650

func isRootURL(s string) bool {
	if s == "/" {
		return true
	}
	if len(s) < 3 || s[0] != '/' || s[len(s)-1] != '/' {
		return false
	}
	return !slices.ContainsFunc(strings.Split(s[1:len(s)-1], "/"), func(segment string) bool { return !rules.Segment(segment) })
}
