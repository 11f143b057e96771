package state

import (
	"crypto/sha256"
	"encoding/hex"
	"net/url"
	"os"
	"path/filepath"
	"strings"
)

// Dirs are the directories of one account.
type Dirs struct {
	State string // data that exists nowhere else
	Cache string // data that can be fetched again
}

// AccountDirs returns the directories of username's account at baseURL, below the XDG
// state and cache directories. Their last element is the service's host, for people, and a
// hash of base URL and user name, so that paths contain neither credentials nor awkward
// characters.
func AccountDirs(stateHome, cacheHome, baseURL, username string) Dirs {
	base := canonicalBase(baseURL)
	sum := sha256.Sum256([]byte(base + "\x00" + username))
	account := readableHost(base) + "-" + hex.EncodeToString(sum[:8])
	return Dirs{
		State: filepath.Join(stateHome, "paperfs", account),
		Cache: filepath.Join(cacheHome, "paperfs", account),
	}
}

// Of returns the directories of the account for the data, with an id, that its service has in its directory now.
func (d Dirs) Of(id string) Dirs { return Dirs{State: d.State + "-" + id, Cache: d.Cache + "-" + id} }

// Others returns the directories of the account for other data, and those without an id, as of commits before 1.0.0, if they exist.
func (d Dirs) Others(id string) (others []Dirs) {
	entries, _ := os.ReadDir(filepath.Dir(d.State)) // if it cannot be read, nothing is found
	for _, e := range entries {
		end, is := strings.CutPrefix(e.Name(), filepath.Base(d.State))
		if is && (end == "" || strings.HasPrefix(end, "-") && end != "-"+id) {
			others = append(others, Dirs{State: d.State + end, Cache: d.Cache + end})
		}
	}
	return others
}

var defaultPorts = map[string]string{"http": "80", "https": "443"}

// canonicalBase returns the same text for all spellings of a base URL: case of scheme and
// host, default port, trailing slash. It drops credentials.
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
