package state

import (
	"crypto/sha256"
	"encoding/hex"
	"net/url"
	"path/filepath"
	"regexp"
	"strings"
)

// Dirs are the directories of one account.
type Dirs struct {
	State string // what would be lost for good
	Cache string // what can be fetched again
}

// AccountDirs names the directories of the account that username has at
// baseURL, below the XDG state and cache directories. The last element is the
// service's host, for people, and a hash of base URL and user name, so that
// neither credentials nor awkward characters get into a path.
func AccountDirs(stateHome, cacheHome, baseURL, username string) Dirs {
	base := canonicalBase(baseURL)
	sum := sha256.Sum256([]byte(base + "\x00" + username))
	account := readableHost(base) + "-" + hex.EncodeToString(sum[:8])
	return Dirs{
		State: filepath.Join(stateHome, "paperfs", account),
		Cache: filepath.Join(cacheHome, "paperfs", account),
	}
}

// account is what AccountDirs calls a directory: one that was set aside has another name.
var account = regexp.MustCompile(`-[0-9a-f]{16}$`)

var defaultPorts = map[string]string{"http": "80", "https": "443"}

// canonicalBase makes spellings of the same base URL equal: case of scheme
// and host, a default port, a slash at the end. Credentials in it are dropped.
func canonicalBase(baseURL string) string {
	u, err := url.Parse(strings.TrimSpace(baseURL))
	if err != nil || u.Host == "" {
		return strings.TrimRight(strings.TrimSpace(baseURL), "/")
	}
	scheme := strings.ToLower(u.Scheme)
	host := strings.ToLower(u.Host)
	if port := u.Port(); port != "" && port == defaultPorts[scheme] {
		host = strings.TrimSuffix(host, ":"+port)
	}
	return scheme + "://" + host + strings.TrimRight(u.EscapedPath(), "/")
}

const maxReadableHost = 80

func readableHost(base string) string {
	host := base
	if _, rest, ok := strings.Cut(base, "://"); ok {
		host, _, _ = strings.Cut(rest, "/")
	}
	host = strings.Map(func(r rune) rune {
		if r >= 'a' && r <= 'z' || r >= '0' && r <= '9' || r == '.' || r == '-' {
			return r
		}
		return '-'
	}, strings.ToLower(host))
	if len(host) > maxReadableHost {
		host = host[:maxReadableHost]
	}
	if host = strings.Trim(host, ".-"); host == "" {
		return "service"
	}
	return host
}
