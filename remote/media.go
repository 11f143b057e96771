package remote

import (
	"context"
	"errors"
	"strings"

	"paperfs/remote/rules"
	"paperfs/remote/xmlscan"
)

// Upload describes what UploadFile has sent.
type Upload struct {
	FileID int64
	Size   int64  // bytes
	SHA256 string // of the content, lower-case hex
	// Version is what the file has now, if the upload was made Under a condition; 0 if the service tells none.
	Version Version
	URL     string // as in MediaFile; "" if the service tells none
}

// UploadFile stores content in a directory of the media store, 0 for its root.
// It replaces a file of that name, which keeps its id. Content that is neither
// small nor Measured is read at least twice. If it changes in between, or after it
// was measured, UploadFile fails with Local and nothing is published.
func (c *Client) UploadFile(ctx context.Context, parent int64, name string, content Content) (Upload, error) {
	b, err := c.bulk(ctx, UploadFile, content)
	if err != nil {
		return Upload{}, err
	}
	var up Upload
	r := &request{op: UploadFile, params: []string{decimal(parent), name, ""}, bulk: b, grows: b.growing}
	r.want = func() reading { return uploaded(&up) }
	if _, err := c.do(ctx, r); err != nil {
		return Upload{}, err
	}
	b.settle()
	up.Size, up.SHA256 = b.size, b.sha256()
	if under, _ := ctx.Value(conditionKey{}).(*Condition); under != nil {
		up.Version = under.Now
	}
	if up.FileID == 0 {
		up.FileID, err = c.lookForUpload(Patient(ctx), r, parent, name, up)
	}
	return up, err
}

// uploaded reads the id and the address of an uploaded file, if the answer has them.
func uploaded(up *Upload) reading {
	var id, url string
	r := reading{element: func(s *xmlscan.Scanner) (err error) {
		switch {
		case s.Is("fileid") && id == "":
			id, err = s.Scalar()
		case s.Is("url"):
			url, err = s.Scalar()
		}
		return err
	}}
	r.check = func() error {
		up.FileID, _ = xmlscan.ParseID([]byte(id)) // 0 if it is not an id
		up.URL = url
		return nil
	}
	return r
}

// lookForUpload finds the id of an uploaded file in GetTree, after an answer SUCCESS
// without an id.
func (c *Client) lookForUpload(ctx context.Context, r *request, parent int64, name string, up Upload) (int64, error) {
	tree, err := c.GetTree(ctx)
	for _, f := range tree.Files {
		if f.Parent == parent && rules.Same(f.Name, name) && f.mayBe(up) {
			return f.ID, nil
		}
	}
	e := c.newError(r, Broken)
	e.Message, e.Err, e.Ambiguous = "the answer has no id, and GetTree no such file", err, true
	return 0, e
}

// mayBe reports whether a file of the tree can be the uploaded one.
func (f MediaFile) mayBe(up Upload) bool {
	switch {
	case f.SHA256 != "":
		return strings.EqualFold(f.SHA256, up.SHA256)
	case f.Bytes >= 0:
		return f.Bytes == up.Size
	}
	return f.SizeKB < 0 || f.SizeKB >= up.Size/1024 && f.SizeKB <= (up.Size+999)/1000
}

// bulk measures the content of an upload before sending it.
func (c *Client) bulk(ctx context.Context, op *Operation, content Content) (*bulk, error) {
	if g := growing(content); g != nil {
		return &bulk{Content: content, growing: g}, nil
	}
	m, err := measure(ctx, content)
	if err == nil {
		return &bulk{Content: content, measured: m}, nil
	}
	return nil, c.unread(ctx, &request{op: op, number: c.requests.Add(1)}, err)
}

// unread returns the error of a call whose content could not be read.
func (c *Client) unread(ctx context.Context, r *request, err error) *Error {
	if ctx.Err() != nil {
		return c.cancelled(r, ctx.Err())
	}
	e := c.newError(r, Local)
	if content, ok := errors.AsType[*contentError](err); ok {
		err = content.err
	}
	e.Err = err
	return e
}

// CreateDirectory creates a directory in the media store and returns its id.
// After a failure of unknown outcome it searches GetTree for a directory of that name; if
// the service does not offer GetTree, the failure stays ambiguous.
func (c *Client) CreateDirectory(ctx context.Context, parent int64, name string) (int64, error) {
	ctx = Patient(ctx)
	var id int64
	send := func() error {
		return c.call(ctx, CreateDirectory, func() reading { return elementID("directoryid", &id) }, decimal(parent), name)
	}
	look := func() (bool, error) {
		tree, err := c.GetTree(ctx)
		for _, d := range tree.Dirs {
			if d.Parent == parent && rules.Same(d.Name, name) {
				id = d.ID
				return true, nil
			}
		}
		return false, err
	}
	err := c.changeWithLook(ctx, send, look)
	return id, err
}

// GetTree returns the whole media store. MediaTree.Odd says what could not be read.
func (c *Client) GetTree(ctx context.Context) (MediaTree, error) {
	tree, _, err := c.GetTreeIfChanged(ctx, "")
	return tree, err
}

// GetTreeIfChanged is GetTree, but returns ErrUnchanged if the tree is the one that
// known names. The validator names the tree that it returns.
func (c *Client) GetTreeIfChanged(ctx context.Context, known Validator) (MediaTree, Validator, error) {
	var tree MediaTree
	now, err := c.ifChanged(ctx, known, func() *request {
		return &request{op: GetTree, want: func() reading {
			var got MediaTree
			return reading{
				lenient: true,
				data:    func(s *xmlscan.Scanner) error { return readMedia(s, &got, c.mostMedia) },
				check:   func() error { got.leaveOutTwins(); tree = got; return nil },
			}
		}}
	})
	return tree, now, err
}

// DeleteFile deletes a file of the media store. It succeeds if the service refuses a
// repeat because the file does not exist any more.
func (c *Client) DeleteFile(ctx context.Context, id int64) error {
	ctx = Patient(ctx)
	return c.delete(ctx, DeleteFile, id, func() (bool, error) {
		tree, err := c.GetTree(ctx)
		for _, f := range tree.Files {
			if f.ID == id {
				return false, nil
			}
		}
		return err == nil, err
	})
}

// DeleteDirectory is DeleteFile for an empty directory.
func (c *Client) DeleteDirectory(ctx context.Context, id int64) error {
	ctx = Patient(ctx)
	return c.delete(ctx, DeleteDirectory, id, func() (bool, error) {
		tree, err := c.GetTree(ctx)
		for _, d := range tree.Dirs {
			if d.ID == id {
				return false, nil
			}
		}
		return err == nil, err
	})
}

// MoveFile gives a file another name or directory, or both, without a change of its content. A file that has the name
// keeps its id and takes the content, and the moved id ends, if it has version over; 0: any, NoFile: it is refused.
// A service that does not know this condition refuses it, too. MoveFile returns the id of the file that then has the
// name. Only paperfs's own service offers it.
func (c *Client) MoveFile(ctx context.Context, id, parent int64, name string, over Version) (now int64, err error) {
	own := []string{replaceVersion, decimal(int64(over))} // without replace: an older service would replace any version
	switch over {
	case NoFile:
		own = nil
	case 0:
		own = []string{"replace", "true"}
	}
	return c.moveMedia(ctx, MoveFile, "fileid", id, parent, name, own)
}

// MoveDirectory is MoveFile for a directory with everything below it; with replace, an empty directory of the name ends.
func (c *Client) MoveDirectory(ctx context.Context, id, parent int64, name string, replace bool) error {
	var own []string
	if replace {
		own = []string{"replace", "true"}
	}
	_, err := c.moveMedia(ctx, MoveDirectory, "directoryid", id, parent, name, own)
	return err
}

func (c *Client) moveMedia(ctx context.Context, op *Operation, element string, id, parent int64, name string, own []string) (now int64, err error) {
	r := &request{op: op, params: []string{decimal(id), decimal(parent), name}, own: own, want: func() reading { return elementID(element, &now) }}
	_, err = c.do(ctx, r)
	return now, err
}
