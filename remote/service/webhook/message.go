package webhook

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"time"

	"paperfs/remote"
	"paperfs/remote/service/address"
	"paperfs/remote/service/store"
)

// Message is the body of a request.
type Message struct {
	Event   string    `json:"event"`
	Time    time.Time `json:"time"`           // when it happened
	Kind    string    `json:"kind,omitempty"` // paper or category; "" of what is gone
	ID      int64     `json:"id,omitempty"`   // of the paper or category
	Address string    `json:"address,omitempty"`
	Gone    bool      `json:"gone,omitempty"`
	Job     string    `json:"job,omitempty"`
	Order   string    `json:"order,omitempty"`
}

// Test is the event that is sent to try a webhook.
func Test(now time.Time) Message { return Message{Event: "test", Time: now.UTC()} }

// Encode returns the id and the body of a message. Each event has an id of its own, also after older records were
// restored and the log counts from there. The log has several rows of a job, and all say how it ended: one event.
func (m Message) Encode(number int64) (id string, body []byte, err error) {
	at := m.Time.Unix()
	if m.Job != "" {
		number, at = 0, 0
	}
	sum := sha256.Sum256(fmt.Appendf(nil, "%d %d %s %d %s%s", number, at, m.Event, m.ID, m.Job, m.Order))
	body, err = json.Marshal(m)
	return "evt_" + hex.EncodeToString(sum[:16]), body, err
}

// describe returns the message of a notice, with what it is about as it is now.
func describe(tx store.Reader, base address.Base, w store.Webhook, n store.Notice) (Message, error) {
	m := Message{Event: n.Event, Time: n.At, ID: n.Node}
	switch n.Event {
	case store.HookProcessed, store.HookFailed:
		m.Job = n.Name
	case store.HookOrdered:
		m.Order = n.Name
	}
	node, err := tx.Node(w.Tenant, n.Node)
	if store.IsNotFound(err) {
		m.Gone = true
		return m, nil
	}
	if err != nil {
		return m, err
	}
	m.Kind = "category"
	if node.Kind == remote.PaperNode {
		m.Kind = "paper"
	}
	tenant, err := tx.Tenant(w.Tenant)
	if err != nil {
		return m, err
	}
	path, err := address.Node(tx, tenant, node.ID)
	m.Address = base.Known(tenant, path)
	return m, err
}
