package main

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"regexp"
	"strings"
	"sync/atomic"
	"time"

	"paperfs/remote"
)

// caller calls the nodes of a service as an account of one tenant.
type caller struct {
	Nodes     []string // base URLs
	Host      string   // the tenant's; "" for the node's own
	Name, Key string

	turn    atomic.Uint64
	touched atomic.Uint64 // number of changes by touch
}

// client keeps a connection for each of many callers. It does not decompress answers.
var client = &http.Client{Transport: &http.Transport{MaxIdleConnsPerHost: 64, DisableCompression: true}}

// ask calls an operation on the nodes in turn, with the values of its parameters.
func (c *caller) ask(ctx context.Context, op *remote.Operation, values ...string) ([]byte, error) {
	return c.askNode(ctx, c.Nodes[int(c.turn.Add(1))%len(c.Nodes)], op, values...)
}

// askNode calls an operation on a node.
func (c *caller) askNode(ctx context.Context, node string, op *remote.Operation, values ...string) ([]byte, error) {
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

func (c *caller) credentials() url.Values {
	form := url.Values{}
	for _, pair := range []remote.Pair{remote.PL, remote.Plain} {
		form.Set(pair.Username, c.Name)
		form.Set(pair.Password, c.Key)
	}
	return form
}

func (c *caller) send(r *http.Request, op *remote.Operation) ([]byte, error) {
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
func (c *caller) make(ctx context.Context, op *remote.Operation, values ...string) (string, error) {
	body, err := c.ask(ctx, op, values...)
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
func (c *caller) id(ctx context.Context, address string) (string, error) {
	return c.make(ctx, remote.GetPaperIDFromUrl, address)
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
