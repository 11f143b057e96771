package document

import (
	"context"
	"errors"
	"fmt"
	"io"

	"paperfs/remote"
)

// maxImage is the maximum size of a page image in bytes.
const maxImage = 64 << 20

// ErrNoImage means that the page has no image of this type.
var ErrNoImage = errors.New("the page has no such image")

// Image returns a page's picture from the address in the structure. The service may change
// addresses at any time, so if the download fails with an HTTP status, Image fetches the
// structure again, once. 1 download, and 1 request if the structure is not cached; 0 while
// the picture is in memory.
func (c *Cache) Image(ctx context.Context, paper int64, number int, kind string) ([]byte, error) {
	data, err := c.image(ctx, paper, number, kind)
	var e *remote.Error
	if !errors.As(err, &e) || e.Kind != remote.Status {
		return data, err
	}
	c.Drop(paper)
	return c.image(ctx, paper, number, kind)
}

func (c *Cache) image(ctx context.Context, paper int64, number int, kind string) ([]byte, error) {
	pages, err := c.Pages(ctx, paper)
	if err != nil {
		return nil, err
	}
	page, image, err := findImage(pages, number, kind)
	if err != nil {
		return nil, err
	}
	// A new version of a paper has pages with new ids.
	return c.document(ctx, key{docImage, paper, fmt.Sprintf("%s %d", kind, page.ID)}, func(ctx context.Context) ([]byte, error) {
		return c.download(ctx, image.URL)
	})
}

func findImage(pages []remote.Page, number int, kind string) (remote.Page, remote.Image, error) {
	for _, p := range pages {
		if p.Number != number {
			continue
		}
		for _, i := range p.Images {
			if i.Type == kind {
				return p, i, nil
			}
		}
		return p, remote.Image{}, fmt.Errorf("page %d, %s: %w", number, kind, ErrNoImage)
	}
	return remote.Page{}, remote.Image{}, fmt.Errorf("page %d: %w", number, ErrUnknownPage)
}

func (c *Cache) download(ctx context.Context, address string) ([]byte, error) {
	body, err := c.service.Download(ctx, address, remote.Part{})
	if err != nil {
		return nil, err
	}
	defer body.Close()
	data, err := io.ReadAll(io.LimitReader(body, maxImage+1))
	if err == nil && len(data) > maxImage {
		err = errors.New("the image has more than 64 MiB")
	}
	return data, err
}
