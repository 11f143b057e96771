package generated

import (
	"context"
	"fmt"
	"strconv"
	"strings"
	"syscall"
	"time"

	"paperfs/fs/errno"
	"paperfs/fs/virtual"
)

// preview is the file that creates preview links ("60", or "60 203.0.113.7") and lists
// those created on this machine, newest last: link, space, "until" and the time. Only its
// owner may read it, because a link opens a paper that is not published.
func (g *Nodes) preview(id int64) *virtual.Value {
	load := func(context.Context) (string, error) {
		n, err := g.Node(id)
		if err != nil {
			return "", err
		}
		links, err := g.Documents.Previews(n)
		var b strings.Builder
		for _, l := range links {
			fmt.Fprintf(&b, "%s until %s\n", l.Link, l.Until.UTC().Format(time.RFC3339))
		}
		return b.String(), err
	}
	v := g.Value(id, load, func(ctx context.Context, value string) error {
		minutes, ip, err := parsePreview(value)
		if err != nil {
			return err
		}
		n, err := g.Node(id)
		if err != nil {
			return err
		}
		return g.Documents.Preview(ctx, n, minutes, ip)
	})
	v.Lines, v.Mode = true, 0o600
	v.Known = func() (string, bool) {
		value, err := load(context.Background())
		return value, err == nil
	}
	return v
}

// parsePreview parses MINUTES or MINUTES ADDRESS. The document cache checks the values.
func parsePreview(value string) (minutes int, ip string, err error) {
	words := strings.Fields(value)
	if len(words) == 1 || len(words) == 2 {
		minutes, err = strconv.Atoi(words[0])
		if err == nil && len(words) == 2 {
			ip = words[1]
		}
		if err == nil {
			return minutes, ip, nil
		}
	}
	return 0, "", errno.Refuse(syscall.EINVAL, fmt.Sprintf("%q is not a preview request: write the number of minutes, or the number of minutes and the IP address that may use it", value))
}
