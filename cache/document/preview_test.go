package document

import (
	"testing"
	"time"

	"paperfs/remote"

	"github.com/stretchr/testify/require"
)

var springPaper = remote.Node{ID: 5, Kind: remote.PaperNode, URL: "/spring/"}

func TestPreviewsAreKeptUntilTheyEnd(t *testing.T) {
	f := newFixture(t)
	links := func(node remote.Node) (links []string) {
		previews, err := f.Previews(node)
		require.NoError(t, err)
		for _, p := range previews {
			links = append(links, p.Link)
		}
		return links
	}
	f.expectCalls(t, 3, func() {
		require.NoError(t, f.Preview(t.Context(), springPaper, 60, ""))
		require.NoError(t, f.Preview(t.Context(), springPaper, 10, "203.0.113.7"))
		require.NoError(t, f.Preview(t.Context(), remote.Node{ID: 6, URL: "/other/"}, 10, "2001:db8::1"))
	})
	f.expectCalls(t, 0, func() {
		require.Equal(t, []string{
			"https://api.example:8443/spring/?SecurityToken=token-1",
			"https://api.example:8443/spring/?SecurityToken=token-2",
		}, links(springPaper))
		f.remount(t, "https://www.example/reader/")
		f.now = f.now.Add(10 * time.Minute)
		moved := springPaper
		moved.URL = "/sale/spring 2/"
		require.Equal(t, []string{"https://www.example/reader/sale/spring%202/?SecurityToken=token-1"}, links(moved))
		previews, err := f.Previews(springPaper)
		require.NoError(t, err)
		require.Equal(t, f.now.Add(50*time.Minute), previews[0].Until)
		f.now = f.now.Add(50 * time.Minute)
		require.Empty(t, links(springPaper))
	})
}

func TestPreviewThatTheServiceWouldRefuseIsNotSent(t *testing.T) {
	f := newFixture(t)
	f.expectCalls(t, 0, func() {
		for _, minutes := range []int{0, -1, 525601} {
			require.ErrorIs(t, f.Preview(t.Context(), springPaper, minutes, ""), ErrInvalid)
		}
		for _, ip := range []string{"localhost", "10.0.0.0/8", "fe80::1%eth0", "[::1]", "1.2.3.4:80", "1.2.3"} {
			require.ErrorIs(t, f.Preview(t.Context(), springPaper, 60, ip), ErrInvalid)
		}
	})
	previews, err := f.Previews(springPaper)
	require.NoError(t, err)
	require.Empty(t, previews)
}

func TestLinksNeedAnAddress(t *testing.T) {
	f := newFixture(t)
	for _, o := range []Options{{PublicURL: "www.example"}, {BaseURL: "ftp://h/"}, {}} {
		o.State = f.state
		_, err := New(o)
		require.Error(t, err)
	}
}
