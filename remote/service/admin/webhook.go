package admin

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"time"

	"paperfs/remote/service/store"
	"paperfs/remote/service/webhook"
)

// Webhook describes a webhook, also as JSON.
type Webhook struct {
	ID      int64    `json:"id"`
	Tenant  string   `json:"tenant"`
	URL     string   `json:"url"`
	Events  []string `json:"events"`
	Trusted bool     `json:"trusted"`          // its host may have a private address and no TLS
	Secret  string   `json:"secret,omitempty"` // only from AddWebhook
	Waiting []Notice `json:"waiting"`          // oldest first; those that were never tried wait for another one
	Aside   []Notice `json:"aside"`
}

// Notice is an event that a webhook was not told yet.
type Notice struct {
	Event  string    `json:"event"`
	ID     int64     `json:"id"` // of the paper or category
	Job    string    `json:"job,omitempty"`
	Order  string    `json:"order,omitempty"`
	Time   time.Time `json:"time"`
	Tries  int       `json:"tries"`
	Reason string    `json:"reason,omitempty"` // of the last failure
}

// AddWebhook adds a webhook to a tenant. It is told of what happens from now on.
func (m *Admin) AddWebhook(tenant, url string, events []string, trusted bool) (added Webhook, err error) {
	if err := webhook.CheckURL(url, trusted); err != nil {
		return added, err
	}
	for _, e := range events {
		if !slices.Contains(store.HookEvents, e) {
			return added, fmt.Errorf("there is no event %q: the events are %s", e, strings.Join(store.HookEvents, ", "))
		}
	}
	w := store.Webhook{URL: url, Secret: webhook.NewSecret(), Events: slices.Compact(slices.Sorted(slices.Values(events))), Trusted: trusted}
	err = m.writeTenant(tenant, func(tx store.Writer, t store.Tenant) (err error) {
		w.Tenant = t.ID
		w.ID, err = tx.AddWebhook(w, time.Now())
		added = describeWebhook(tenant, w, nil)
		added.Secret = w.Secret
		return err
	})
	return added, err
}

// Webhooks lists a tenant's webhooks, oldest first.
func (m *Admin) Webhooks(tenant string) (all []Webhook, err error) {
	err = m.read(func(tx store.Reader) error {
		all = []Webhook{}
		t, err := tenantNamed(tx, tenant)
		if err != nil {
			return err
		}
		hooks, err := tx.Webhooks(t.ID)
		for _, w := range hooks {
			notices, err := tx.Notices(w.ID)
			if err != nil {
				return err
			}
			all = append(all, describeWebhook(tenant, w, notices))
		}
		return err
	})
	return all, err
}

func describeWebhook(tenant string, w store.Webhook, notices []store.Notice) Webhook {
	d := Webhook{ID: w.ID, Tenant: tenant, URL: w.URL, Events: w.Events, Trusted: w.Trusted, Waiting: []Notice{}, Aside: []Notice{}}
	for _, n := range notices {
		one := Notice{Event: n.Event, ID: n.Node, Time: n.At, Tries: n.Tries, Reason: n.Reason}
		if n.Event == store.HookOrdered {
			one.Order = n.Name
		} else {
			one.Job = n.Name
		}
		if n.Aside {
			d.Aside = append(d.Aside, one)
		} else {
			d.Waiting = append(d.Waiting, one)
		}
	}
	return d
}

// TestWebhook sends the event test from this process, once.
func (m *Admin) TestWebhook(ctx context.Context, tenant string, id int64) error {
	var w store.Webhook
	err := m.read(func(tx store.Reader) error {
		t, err := tenantNamed(tx, tenant)
		if err == nil {
			w, err = tenantWebhook(tx, t, id)
		}
		return err
	})
	if err != nil {
		return err
	}
	p := webhook.NewPoster()
	defer p.Close()
	now := time.Now()
	key, body, err := webhook.Test(now).Encode(now.UnixNano())
	if err != nil {
		return err
	}
	if err := p.Post(ctx, w, key, now, body); err != nil {
		return fmt.Errorf("webhook %d did not accept the event: %w", id, err)
	}
	return nil
}

// RemoveWebhook removes a webhook with what waits for it.
func (m *Admin) RemoveWebhook(tenant string, id int64) error {
	return m.writeTenant(tenant, func(tx store.Writer, t store.Tenant) error {
		if _, err := tenantWebhook(tx, t, id); err != nil {
			return err
		}
		return tx.RemoveWebhook(t.ID, id)
	})
}

// RetryWebhook makes everything due that waits for a webhook or was set aside. It returns how many events these are.
func (m *Admin) RetryWebhook(tenant string, id int64) (count int64, err error) {
	err = m.writeTenant(tenant, func(tx store.Writer, t store.Tenant) error {
		if _, err := tenantWebhook(tx, t, id); err != nil {
			return err
		}
		count, err = tx.RetryNotices(id)
		return err
	})
	return count, err
}

func tenantWebhook(tx store.Reader, t store.Tenant, id int64) (store.Webhook, error) {
	w, err := tx.Webhook(id)
	if store.IsNotFound(err) || err == nil && w.Tenant != t.ID {
		return w, fmt.Errorf("tenant %s has no webhook %d", t.Name, id)
	}
	return w, err
}
