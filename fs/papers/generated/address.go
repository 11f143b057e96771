package generated

import (
	"context"
	"fmt"

	"paperfs/fs/inode"
	"paperfs/fs/virtual"
)

// address is the file address: where readers find a paper. It makes no requests.
func (g *Nodes) address(id int64) *virtual.Value {
	load := func(context.Context) (string, error) {
		n, err := g.Node(id)
		if err != nil {
			return "", err
		}
		return g.Documents.Address(n), nil
	}
	v := g.Value(id, load, nil)
	v.Known = func() (string, bool) {
		value, err := load(context.Background())
		return value, err == nil
	}
	return v
}

// aboutPage describes the generated nodes that belong to a page. The parameter Page makes
// the reader open that page.
func (g *Nodes) aboutPage(id int64, number int) virtual.About {
	about := g.About(id)
	what := about.What
	about.What = func() inode.Description {
		d := what()
		if d.Address != "" {
			d.Address += fmt.Sprintf("?Page=%d", number)
		}
		return d
	}
	return about
}
