package apitest

import (
	"encoding/base64"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"paperfs/remote"
	"paperfs/remote/testrun"
)

// unfinished is an upload that sends its content as the test says, before its credentials.
type unfinished struct {
	t     *testing.T
	feed  *io.PipeWriter
	reply chan reply
}

func (s *server) unfinished(t *testing.T) *unfinished {
	body, feed := io.Pipe()
	req := testrun.Must(http.NewRequest(http.MethodPost, s.http.URL+remote.UploadFile.Path(), body))(t)
	req.Header.Set("Content-Type", "application/x-www-form-urlencoded")
	u := &unfinished{t: t, feed: feed, reply: make(chan reply, 1)}
	go func() { u.reply <- s.do(req) }()
	u.send("parentID=0&name=f&base64File=")
	return u
}

func (u *unfinished) send(text string) {
	testrun.Must(io.WriteString(u.feed, text))(u.t)
}

func (u *unfinished) content(size int) {
	u.send(url.QueryEscape(base64.StdEncoding.EncodeToString(make([]byte, size/3*3))))
}

func (u *unfinished) end() reply {
	u.feed.Close()
	return <-u.reply
}

func (s *server) awaitStrangers(uploads int, least int64) {
	s.t.Helper()
	require.Eventually(s.t, func() bool {
		u, b := s.inside().Strangers.Count()
		return u == uploads && b >= least
	}, testrun.Patience(), time.Millisecond)
}

// TestStrangersAreCounted checks that only one upload of an address may store content on the disk
// before its credentials come, and that it counts until it is removed, however the upload ends.
func TestStrangersAreCounted(t *testing.T) {
	t.Parallel()
	s := start(t)
	login := "&" + s.credentials(remote.UploadFile).Encode()
	wrong := "&" + params("username", s.user, "password", "wrong").Encode()
	for _, end := range []struct {
		text string
		code remote.Code
	}{{login, remote.Success}, {wrong, remote.LoginSecurityViolation}, {"", ""}} {
		u := s.unfinished(t)
		u.content(300_000)
		s.awaitStrangers(1, 200_000)

		second := s.unfinished(t)
		second.content(30_000) // small enough to need no place on the disk
		second.send(login)
		require.Equal(t, remote.Success, second.end().code)
		r := s.raw(remote.UploadFile, "parentID=0&name=g&base64File="+strings.Repeat("AAAA", 50_000)+login)
		require.Equal(t, http.StatusRequestEntityTooLarge, r.status)
		require.Contains(t, r.body, "credentials before the content")
		require.Equal(t, remote.Success, s.raw(remote.UploadFile, "parentID=0&name=g"+login+"&base64File="+strings.Repeat("AAAA", 50_000)).code, "an upload with credentials first does not wait")

		u.send(end.text)
		require.Equal(t, end.code, u.end().code)
		s.awaitStrangers(0, 0)
	}
	gone := s.dial()
	testrun.Must(fmt.Fprintf(gone, head+"parentID=0&name=f&base64File=%s", 1_000_000, "", strings.Repeat("AAAA", 75_000)))(t)
	s.awaitStrangers(1, 100_000)
	gone.Close()
	s.awaitStrangers(0, 0)
}

func TestStrangersShareADisk(t *testing.T) {
	t.Parallel()
	s := start(t)
	s.inside().Strangers.Most = 100_000
	r := s.raw(remote.UploadFile, "parentID=0&name=g&base64File="+strings.Repeat("AAAA", 50_000)+"&"+s.credentials(remote.UploadFile).Encode())
	require.Equal(t, http.StatusRequestEntityTooLarge, r.status)
	require.Contains(t, r.body, "too much content without credentials")
	s.awaitStrangers(0, 0)
	require.Zero(t, s.contents())
}

// TestStrangersShareMemory checks that what comes before the credentials has a bound for all senders together, beyond
// a little for each; that it is free again at the end; and that credentials first have none.
func TestStrangersShareMemory(t *testing.T) {
	t.Parallel()
	s := start(t)
	s.inside().Strangers.MostMemory = 100_000
	login := "&" + s.credentials(remote.UploadFile).Encode()
	for i := range 2 {
		u := s.unfinished(t) // takes the memory of small content
		late := "parentID=0&name=g&base64File=" + strings.Repeat("AAAA", 10_000) + login
		require.Eventually(t, func() bool {
			if s.raw(remote.UploadFile, late).status == http.StatusRequestEntityTooLarge {
				return true
			}
			u.end() // it came after the other, or was refused because it came at the same time
			u = s.unfinished(t)
			return false
		}, testrun.Patience(), 10*time.Millisecond, "two strangers have more than the bound")
		r := s.raw(remote.CreateDirectory, "parentID=0&name="+strings.Repeat("x", 10_000)+login)
		require.Equal(t, http.StatusRequestEntityTooLarge, r.status)
		require.Contains(t, r.body, "Send the credentials first")
		require.Equal(t, remote.Success, s.raw(remote.CreateDirectory, "parentID=0&name=g"+fmt.Sprint(i)+login).code, "a little has room")
		require.Equal(t, remote.Success, s.raw(remote.UploadFile, login[1:]+"&parentID=0&name=g&base64File="+strings.Repeat("AAAA", 10_000)).code)
		u.send(login)
		require.Equal(t, remote.Success, u.end().code)
		require.Equal(t, remote.Success, s.raw(remote.UploadFile, late).code, "it is free again")
	}
}

// TestParametersBeforeCredentialsAreBounded checks that only a limited amount of parameters may
// come before the credentials, in any order, and any amount after good ones.
func TestParametersBeforeCredentialsAreBounded(t *testing.T) {
	t.Parallel()
	s := start(t)
	login, wrong := s.credentials(remote.CreateDirectory).Encode(), params("username", s.user, "password", "wrong").Encode()
	long := "parentID=0&name=" + strings.Repeat("x", 70_000)
	r := s.raw(remote.CreateDirectory, long+"&"+login)
	require.Equal(t, http.StatusRequestEntityTooLarge, r.status)
	require.Contains(t, r.body, "credentials before the other parameters")
	require.Equal(t, http.StatusRequestEntityTooLarge, s.raw(remote.CreateDirectory, strings.Repeat("name="+strings.Repeat("x", 1000)+"&", 70)+login).status)
	require.Equal(t, remote.Failure, s.raw(remote.CreateDirectory, login+"&"+long).code, "the parameters were read, and the name is too long")
	require.Equal(t, remote.LoginSecurityViolation, s.raw(remote.CreateDirectory, wrong+"&"+long).code)
	require.Equal(t, remote.Success, s.raw(remote.CreateDirectory, "parentID=0&unknown="+strings.Repeat("x", 1<<20)+"&name=n&"+login).code, "discarded parameters do not count")
}
