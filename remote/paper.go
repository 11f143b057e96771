package remote

import (
	"context"
	"errors"
	"strconv"
	"strings"

	"paperfs/remote/rules"
	"paperfs/remote/xmlscan"
)

// GetAllPapers visits the node id and its descendants while the answer arrives:
// parents before children, in the service's order. Only the first node has Parent 0.
// If the answer breaks off, the call is repeated and the first node comes again: earlier
// visits are void. All visits are void unless the call succeeds. An error of visit ends
// the call and is returned unchanged. A record that is not as documented is visited with
// its readable parts, and Odd says what is wrong. If they are too little for a node, its
// ID is 0 and its descendants are not visited.
func (c *Client) GetAllPapers(ctx context.Context, id int64, visit func(Node) error) error {
	_, err := c.GetAllPapersIfChanged(ctx, id, "", visit)
	return err
}

// GetAllPapersIfChanged is GetAllPapers, but visits nothing and returns
// ErrUnchanged if the tree is the one that known names. The validator names the whole
// tree that was visited.
func (c *Client) GetAllPapersIfChanged(ctx context.Context, id int64, known Validator, visit func(Node) error) (Validator, error) {
	return c.ifChanged(ctx, known, func() *request {
		return &request{op: GetAllPapers, params: []string{decimal(id)}, want: func() reading {
			var o Offers
			return reading{lenient: true, offers: &o, data: func(s *xmlscan.Scanner) error { return visitNodes(s, o, visit) }}
		}}
	})
}

// GetPaperIDFromUrl returns the id of the node at an address, which begins and ends with a
// slash. A missing node is not an error.
func (c *Client) GetPaperIDFromUrl(ctx context.Context, url string) (id int64, found bool, err error) {
	var text string
	err = c.call(ctx, GetPaperIDFromUrl, func() reading {
		return elementAttr("paper", "id", &text, &found).and(func() (err error) {
			if found {
				id, err = xmlscan.ParseID([]byte(text))
			}
			return err
		})
	}, url)
	if err != nil {
		return 0, false, err
	}
	return id, found, nil
}

// GetPaperUrlFromID returns the address of a node.
func (c *Client) GetPaperUrlFromID(ctx context.Context, id int64) (string, error) {
	var url string
	var found bool
	err := c.call(ctx, GetPaperUrlFromID, func() reading {
		return elementAttr("paper", "url", &url, &found).and(func() error {
			if !found {
				return broken("the answer has no url")
			}
			return nil
		})
	}, decimal(id))
	return url, err
}

// CreateCategory creates a category below parent and returns its id. After a
// failure of unknown outcome it looks for a category of that name at the address
// that parent.URL and urlName make; TellFound reports it. Without parent.URL the outcome
// stays unknown.
func (c *Client) CreateCategory(ctx context.Context, parent Node, name, urlName string) (int64, error) {
	return c.create(ctx, CreateCategory, CategoryNode, parent, name, urlName)
}

// CreatePaper is CreateCategory for a paper.
func (c *Client) CreatePaper(ctx context.Context, parent Node, name, urlName string) (int64, error) {
	return c.create(ctx, CreatePaper, PaperNode, parent, name, urlName)
}

// copyKey marks a context made by AsCopyOf.
type copyKey struct{}

// AsCopyOf returns a context with which CreatePaper makes a copy of a paper. Only paperfs's own service offers it.
func AsCopyOf(ctx context.Context, paper int64) context.Context {
	return context.WithValue(ctx, copyKey{}, paper)
}

func (c *Client) create(ctx context.Context, op *Operation, kind NodeKind, parent Node, name, urlName string) (int64, error) {
	ctx = Patient(ctx)
	params := []string{decimal(parent.ID), name, urlName}
	if from, is := ctx.Value(copyKey{}).(int64); is && kind == PaperNode {
		op, params = CopyPaper, append([]string{decimal(from)}, params...)
	}
	var id int64
	send := func() error { return c.call(ctx, op, func() reading { return paperID(&id) }, params...) }
	look := func() (bool, error) {
		if parent.URL == "" {
			return false, errNoLook
		}
		found, ok, err := c.findNode(ctx, parent.URL+strings.TrimSpace(urlName)+"/")
		if err != nil || !ok || found.Kind != kind || found.Name != strings.TrimSpace(name) {
			return false, err
		}
		id = found.ID
		tellFound(ctx)
		return true, nil
	}
	return id, c.changeWithLook(ctx, send, look)
}

var errFirst = errors.New("the first node is enough")

// findNode returns the node at an address.
func (c *Client) findNode(ctx context.Context, url string) (n Node, found bool, err error) {
	id, found, err := c.GetPaperIDFromUrl(ctx, url)
	if err != nil || !found {
		return n, false, err
	}
	err = c.GetAllPapers(ctx, id, func(first Node) error {
		n = first
		return errFirst
	})
	if err != nil && err != errFirst {
		return n, false, err
	}
	return n, n.ID != 0, nil
}

// MovePaper moves a node with its descendants to another category.
func (c *Client) MovePaper(ctx context.Context, id, destination int64) error {
	return c.call(ctx, MovePaper, nil, decimal(id), decimal(destination))
}

// RenamePaper gives a paper or category another name, and, unless destination is 0, another category. Its address keeps
// its last segment. Only paperfs's own service offers it.
func (c *Client) RenamePaper(ctx context.Context, id int64, name string, destination int64) error {
	r := &request{op: RenamePaper, params: []string{decimal(id), name}}
	if destination != 0 {
		r.own = []string{"destinationParentID", decimal(destination)}
	}
	_, err := c.do(ctx, r)
	return err
}

// ChangePaperUrl changes the last segment of a node's address.
func (c *Client) ChangePaperUrl(ctx context.Context, id int64, newURL string) error {
	return c.call(ctx, ChangePaperUrl, nil, decimal(id), newURL)
}

// SetPublicationPeriod sets when a paper is visible, to the second.
func (c *Client) SetPublicationPeriod(ctx context.Context, id int64, p Period) error {
	return c.call(ctx, SetPublicationPeriod, nil, decimal(id),
		rules.FormatTime(p.From), rules.FormatTime(p.To))
}

// ClearPublicationPeriod makes a paper always visible.
func (c *Client) ClearPublicationPeriod(ctx context.Context, id int64) error {
	return c.call(ctx, ClearPublicationPeriod, nil, decimal(id))
}

// DeletePaper deletes a paper or an empty category. It succeeds if the service refuses a
// repeat because the node does not exist any more.
func (c *Client) DeletePaper(ctx context.Context, id int64) error {
	ctx = Patient(ctx)
	return c.delete(ctx, DeletePaper, id, func() (bool, error) {
		_, err := c.GetPaperUrlFromID(ctx, id)
		var e *Error
		if errors.As(err, &e) && e.Kind == Refused && e.Code == PaperDoesNotExist {
			return true, nil
		}
		return false, err
	})
}

// CreatePreviewToken creates a token that opens a paper for some minutes, for one client
// address or, if ip is empty, for all.
func (c *Client) CreatePreviewToken(ctx context.Context, id int64, minutes int, ip string) (token string, err error) {
	err = c.call(ctx, CreatePreviewToken, func() reading { return elementText("token", &token) }, decimal(id), strconv.Itoa(minutes), ip)
	return token, err
}
