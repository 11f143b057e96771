package address

import (
	"net/http"
	"net/url"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"paperfs/remote/testrun"
)

// TestAnImagesAddressIsGoodForItselfAlone checks that a signature is valid for one paper, page and
// type, and until its time.
func TestAnImagesAddressIsGoodForItselfAlone(t *testing.T) {
	t.Parallel()
	now := time.Date(2031, 5, 4, 10, 0, 0, 0, time.UTC)
	images := &Images{[]byte("key"), func() time.Time { return now }}
	expiry := images.Expiry(time.Time{})
	require.True(t, expiry.After(now.Add(imageValidity)), "an address is good for twelve hours at least")
	require.Equal(t, now.Add(time.Hour), images.Expiry(now.Add(time.Hour)), "and not longer than the right to see the paper")
	query := func() url.Values {
		q := testrun.Must(url.ParseQuery(strings.TrimPrefix(images.Query(3, 7, "Thumb", expiry), "?")))(t)
		return q
	}
	a, ok := images.Parse(query(), 3)
	require.True(t, ok)
	require.Equal(t, Image{7, "Thumb", expiry.Unix()}, a)
	_, ok = images.Parse(query(), 4)
	require.False(t, ok, "another paper's")
	for name, value := range map[string]string{"PageID": "8", "ImageType": "Zoom", "Expires": "99999999999", "Signature": ""} {
		q := query()
		q.Set(name, value)
		_, ok = images.Parse(q, 3)
		require.False(t, ok, "%s was altered", name)
	}
	now = expiry
	_, ok = images.Parse(query(), 3)
	require.False(t, ok, "it has expired")
}

// TestHostsAreNamesOrAddresses checks what the Host of a request can be, and how it is compared.
func TestHostsAreNamesOrAddresses(t *testing.T) {
	t.Parallel()
	require.Equal(t, "papers.example", Host("Papers.Example.:8080"))
	require.Equal(t, "::1", Host("[::1]:80"))
	for host, want := range map[string]bool{
		"papers.example": true, "my_host": true, "1.2.3.4": true, "[::1]:80": true, "a:99999": false, "-a.example": false, "a..b": false, "1.2.3.400": false, "a b": false, "": false, strings.Repeat("a", 64): false,
	} {
		require.Equal(t, want, PossibleHost(host), "%q", host)
	}
	require.True(t, IsLoopback("LOCALHOST:1"))
	require.True(t, IsLoopback("[::ffff:127.0.0.1]"))
	require.False(t, IsLoopback("localhost.example"))
}

// TestANetworkIsWhatACustomerGets checks that all addresses of an IPv6 network count as one.
func TestANetworkIsWhatACustomerGets(t *testing.T) {
	t.Parallel()
	for from, want := range map[string]string{
		"[2001:db8:1:2:3::4]:1": "2001:db8:1:2::/64", "[::ffff:1.2.3.4]:1": "1.2.3.4", "1.2.3.4:1": "1.2.3.4", "[fe80::1%eth0]:1": "fe80::/64", "unknown:0": "", "nonsense": "",
	} {
		require.Equal(t, want, Network(&http.Request{RemoteAddr: from}), from)
	}
}

// TestAStatisticsAddressIsGoodForItsPaper checks that a signature of statistics is valid for one paper, says until when, and
// opens no picture; nor does that of a picture open statistics.
func TestAStatisticsAddressIsGoodForItsPaper(t *testing.T) {
	t.Parallel()
	now := time.Date(2031, 5, 4, 10, 0, 0, 0, time.UTC)
	images := &Images{[]byte("key"), func() time.Time { return now }}
	query := func(text string) url.Values {
		q := testrun.Must(url.ParseQuery(strings.TrimPrefix(text, "?")))(t)
		return q
	}
	q := query(images.Statistics(3))
	end, ok := images.ParseStatistics(q, 3)
	require.True(t, ok)
	require.True(t, end.After(now.Add(imageValidity)))
	_, ok = images.ParseStatistics(q, 4)
	require.False(t, ok, "another paper's")
	for name, value := range map[string]string{"Expires": "99999999999", "Signature": ""} {
		altered := query(images.Statistics(3))
		altered.Set(name, value)
		_, ok = images.ParseStatistics(altered, 3)
		require.False(t, ok, "%s was altered", name)
	}
	_, ok = images.ParseStatistics(query(images.Query(3, 7, "Thumb", end)), 3)
	require.False(t, ok)
	q.Set("PageID", "7")
	q.Set("ImageType", "Thumb")
	_, ok = images.Parse(q, 3)
	require.False(t, ok)
}
