package measure

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"regexp"
	"slices"
	"strings"
	"sync/atomic"
	"time"

	"paperfs/remote"
)

// Caller calls the nodes of a service as an account of one tenant.
type Caller struct {
	Nodes     []string // base URLs
	Host      string   // the tenant's; "" for the node's own
	Name, Key string

	turn    atomic.Uint64
	touched atomic.Uint64 // number of changes by touch
}

// client keeps a connection for each of many callers. It does not decompress answers.
var client = &http.Client{Transport: &http.Transport{MaxIdleConnsPerHost: 64, DisableCompression: true}}

// Ask calls an operation on the nodes in turn, with the values of its parameters.
func (c *Caller) Ask(ctx context.Context, op *remote.Operation, values ...string) ([]byte, error) {
	return c.AskNode(ctx, c.Nodes[int(c.turn.Add(1))%len(c.Nodes)], op, values...)
}

// AskNode calls an operation on a node.
func (c *Caller) AskNode(ctx context.Context, node string, op *remote.Operation, values ...string) ([]byte, error) {
	form := c.credentials()
	for i, v := range values {
		form.Set(op.Params[i], v)
	}
	r, err := http.NewRequestWithContext(ctx, http.MethodPost, node+op.Path(), strings.NewReader(form.Encode()))
	if err != nil {
		return nil, err
	}
	return c.send(r, op)
}

func (c *Caller) credentials() url.Values {
	form := url.Values{}
	for _, pair := range []remote.Pair{remote.PL, remote.Plain} {
		form.Set(pair.Username, c.Name)
		form.Set(pair.Password, c.Key)
	}
	return form
}

func (c *Caller) send(r *http.Request, op *remote.Operation) ([]byte, error) {
	r.Header.Set("Content-Type", "application/x-www-form-urlencoded")
	r.Host = c.Host
	reply, err := client.Do(r)
	if err != nil {
		return nil, err
	}
	defer reply.Body.Close()
	body, err := io.ReadAll(reply.Body)
	if err != nil {
		return nil, err
	}
	if head := body[:min(len(body), 500)]; reply.StatusCode != http.StatusOK || !bytes.Contains(head, []byte("SUCCESS")) {
		return nil, fmt.Errorf("%s was answered %s: %s", op.Name, reply.Status, head)
	}
	return body, nil
}

var idAttribute = regexp.MustCompile(` id="(\d+)"`)

// make calls an operation that creates something, and returns its id.
func (c *Caller) make(ctx context.Context, op *remote.Operation, values ...string) (string, error) {
	body, err := c.Ask(ctx, op, values...)
	if err != nil {
		return "", err
	}
	found := idAttribute.FindSubmatch(body)
	if found == nil {
		return "", fmt.Errorf("%s was answered without an id: %s", op.Name, body)
	}
	return string(found[1]), nil
}

// id returns the id of the category or paper at an address.
func (c *Caller) id(ctx context.Context, address string) (string, error) {
	return c.make(ctx, remote.GetPaperIDFromUrl, address)
}

// median returns the median of at least one time.
func median(times []time.Duration) time.Duration {
	slices.Sort(times)
	n := len(times)
	return (times[(n-1)/2] + times[n/2]) / 2
}

// repeated is how often a short operation is measured.
const repeated = 5

// medianOf runs do several times and returns its median time; before, which may be nil, is not timed.
func medianOf(before, do func() error) (time.Duration, error) {
	var times []time.Duration
	for range repeated {
		if before != nil {
			if err := before(); err != nil {
				return 0, err
			}
		}
		began := time.Now()
		if err := do(); err != nil {
			return 0, err
		}
		times = append(times, time.Since(began))
	}
	return median(times), nil
}
