package store

import "time"

// The events of a webhook.
const (
	HookPublished   = "published"
	HookUnpublished = "unpublished"
	HookProcessed   = "processed"
	HookFailed      = "failed"
	HookOrdered     = "ordered"
	HookChanged     = "changed"
)

// HookEvents are all of them.
var HookEvents = []string{HookPublished, HookUnpublished, HookProcessed, HookFailed, HookOrdered, HookChanged}

// Webhook is an address that is told of a tenant's events. It is a mark in the tenant's log of changes: what came
// before it was sent, or waits as a Notice.
type Webhook struct {
	ID      int64
	Tenant  int64
	URL     string
	Secret  string   // of its signatures
	Events  []string // of HookEvents
	Trusted bool     // the operator names its host, which may have a private address and no TLS
	Mark    int64
}

// Notice is an event for a webhook.
type Notice struct {
	Number int64 // of its row in the log
	Event  string
	Node   int64
	Name   string // GUID of the job, or id of the order; else ""
	At     time.Time
	Behind bool // of one in the log: an earlier one of the same node waits

	// What follows is of one that waits.

	Tries  int
	Since  time.Time // of the first; the zero time without any
	Due    time.Time // of the next; when it began to wait, if it is not the oldest
	Aside  bool      // nothing waits for it, and nobody sends it
	Reason string
}

// WebhookReader finds webhooks.
type WebhookReader interface {
	// Webhooks returns those of a tenant, oldest first.
	Webhooks(tenant int64) ([]Webhook, error)
	Webhook(id int64) (Webhook, error)
	// CopiedWebhooks reports whether there are webhooks that came with a copy: its log of changes is another one.
	CopiedWebhooks() (bool, error)
	// Told returns up to when the log has the periods that began and ended; the zero time without webhooks.
	Told(tenant int64) (time.Time, error)
	// LogNotices returns what of the log after a row is an event of any webhook, oldest first.
	LogNotices(w Webhook, after int64, most int) ([]Notice, error)
	// DueNotices returns what waits to be sent by now: of each node the oldest one alone.
	DueNotices(webhook int64, now time.Time, most int) ([]Notice, error)
	// Notices returns what waits and what is aside, oldest first.
	Notices(webhook int64) ([]Notice, error)
}

// WebhookWriter changes webhooks.
type WebhookWriter interface {
	// AddWebhook adds a webhook whose mark is the end of the log.
	AddWebhook(w Webhook, now time.Time) (int64, error)
	RemoveWebhook(tenant, id int64) error
	// RenewWebhooks puts the marks of webhooks that came with a copy at the end of their logs.
	RenewWebhooks(now time.Time) error
	// TellPeriods writes into the log which periods began and ended since Told.
	TellPeriods(tenant int64, now time.Time) error
	// MoveMark moves the mark. ErrNotFound: it is not where w has it, or the webhook is gone.
	MoveMark(w Webhook, to int64) error
	AddNotice(webhook int64, n Notice) error
	// ChangeNotice counts a try. ErrNotFound: there was another try, or the notice is gone.
	ChangeNotice(webhook int64, n Notice) error
	DropNotice(webhook, number int64) error
	// ForgetNotices removes what was due before a time, unless it is to be retried.
	ForgetNotices(webhook int64, before time.Time) error
	// RetryNotices makes all due that wait or are aside, as if they were new.
	RetryNotices(webhook int64) (count int64, err error)
}
