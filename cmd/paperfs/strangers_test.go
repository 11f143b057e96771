package main

import (
	"fmt"
	"io"
	"net"
	"net/url"
	"os"
	"regexp"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

// letters is content without an end.
type letters struct{}

func (letters) Read(p []byte) (int, error) {
	for i := range p {
		p[i] = 'A'
	}
	return len(p), nil
}

// peakMiB is the most memory that a process has had.
func peakMiB(t *testing.T, pid int) int {
	text, err := os.ReadFile(fmt.Sprintf("/proc/%d/status", pid))
	require.NoError(t, err)
	found := regexp.MustCompile(`VmHWM:\s+(\d+) kB`).FindSubmatch(text)
	require.NotNil(t, found)
	kb, err := strconv.Atoi(string(found[1]))
	require.NoError(t, err)
	return kb >> 10
}

// TestStrangersCostLittle: many requests that never end, large in their
// parameters or their content, from one who has no account.
func TestStrangersCostLittle(t *testing.T) {
	e := newEnvironment(t)
	p, env := e.serving()
	address, err := url.Parse(env["PAPERFS_URL"])
	require.NoError(t, err)
	before := peakMiB(t, p.cmd.Process.Pid)
	const requests, size = 24, 16 << 20
	for _, what := range []string{"Paper.asmx/GetPaperIDFromUrl", "Media.asmx/UploadFile"} {
		for range requests {
			conn, err := net.Dial("tcp", address.Host)
			require.NoError(t, err)
			defer conn.Close() // not sooner: all are there at once
			require.NoError(t, conn.SetDeadline(time.Now().Add(patience)))
			head := "POST /V2/" + what + " HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/x-www-form-urlencoded\r\nContent-Length: 30000000\r\n\r\n"
			_, err = io.WriteString(conn, head+"parentID=0&name=f&")
			require.NoError(t, err)
			field := "url="
			if what == "Media.asmx/UploadFile" {
				field = "base64File="
			}
			_, err = io.Copy(conn, io.MultiReader(strings.NewReader(field), io.LimitReader(letters{}, size)))
			require.NoError(t, err)
		}
	}
	require.Less(t, peakMiB(t, p.cmd.Process.Pid)-before, 256, "MiB; they sent %d", 2*requests*size>>20)
}
