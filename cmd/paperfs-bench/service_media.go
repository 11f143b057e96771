package main

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/base64"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"net/http"
	"net/url"
	"strconv"
	"time"

	"paperfs/remote"
)

// block is the repeated part of a file: its base64 ends without padding.
const block = 3 << 16

const fileName = "long.bin"

// longFile is a file to upload. Its body is prepared in advance, so that sending it takes little
// processor time.
type longFile struct {
	raw, encoded []byte // one block
	blocks       int
}

// newLongFile prepares a file of about a size.
func newLongFile(size int64) *longFile {
	u := &longFile{raw: make([]byte, block), blocks: int(max(size/block, 1))}
	_, _ = rand.NewChaCha8([32]byte{1}).Read(u.raw)
	u.encoded = []byte(url.QueryEscape(base64.StdEncoding.EncodeToString(u.raw)))
	return u
}

func (u *longFile) size() int64 { return int64(u.blocks) * block }

// up sends the file to the first node.
func (u *longFile) up(ctx context.Context, c *caller) (time.Duration, error) {
	form := c.credentials()
	form.Set(remote.UploadFile.Params[0], "0")
	form.Set(remote.UploadFile.Params[1], fileName)
	head := form.Encode() + "&" + remote.UploadFile.Bulk + "="
	body := io.MultiReader(bytes.NewReader([]byte(head)), &repeat{block: u.encoded, times: u.blocks})
	r, err := http.NewRequestWithContext(ctx, http.MethodPost, c.Nodes[0]+remote.UploadFile.Path(), body)
	if err != nil {
		return 0, err
	}
	r.ContentLength = int64(len(head) + u.blocks*len(u.encoded))
	began := time.Now()
	_, err = c.send(r, remote.UploadFile)
	return time.Since(began), err
}

// repeat reads a block several times.
type repeat struct {
	block []byte
	times int
	at    int
}

func (r *repeat) Read(p []byte) (n int, err error) {
	if r.times == 0 {
		return 0, io.EOF
	}
	n = copy(p, r.block[r.at:])
	if r.at += n; r.at == len(r.block) {
		r.at, r.times = 0, r.times-1
	}
	return n, nil
}

// down reads the file from the last node and compares it.
func (u *longFile) down(ctx context.Context, c *caller) (time.Duration, error) {
	file, client, err := u.find(ctx, c)
	if err != nil {
		return 0, err
	}
	defer client.Close()
	began := time.Now()
	r, err := client.Download(ctx, file.URL, remote.Part{})
	if err != nil {
		return 0, err
	}
	defer r.Close()
	sum := sha256.New()
	n, err := io.Copy(sum, r)
	took := time.Since(began)
	if err != nil {
		return 0, err
	}
	want := sha256.New()
	for range u.blocks {
		want.Write(u.raw)
	}
	if n != u.size() || !bytes.Equal(sum.Sum(nil), want.Sum(nil)) {
		return 0, fmt.Errorf("what came back of %s is not what was sent: %d of %d bytes, or others", fileName, n, u.size())
	}
	return took, nil
}

// remove deletes the file.
func (u *longFile) remove(ctx context.Context, c *caller) error {
	file, client, err := u.find(ctx, c)
	if err != nil {
		return err
	}
	defer client.Close()
	_, err = c.ask(ctx, remote.DeleteFile, strconv.FormatInt(file.ID, 10))
	return err
}

func (u *longFile) find(ctx context.Context, c *caller) (remote.MediaFile, *remote.Client, error) {
	client, err := remote.New(remote.Options{BaseURL: c.Nodes[len(c.Nodes)-1], Username: c.Name, Password: c.Key})
	if err != nil {
		return remote.MediaFile{}, nil, err
	}
	tree, err := client.GetTree(ctx)
	if err == nil {
		for _, f := range tree.Files {
			if f.Name == fileName && f.Parent == 0 {
				return f, client, nil
			}
		}
		err = errors.New(fileName + " is not there")
	}
	client.Close()
	return remote.MediaFile{}, nil, err
}
