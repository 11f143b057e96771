package main

import (
	"errors"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"strconv"
	"time"

	"paperfs/cmd/paperfs/profile"
	"paperfs/cmd/paperfs/usage"

	"github.com/adrg/xdg"
)

// Config is all that flags and environment can say. NewConfig has the
// defaults; the flags of each command are bound to its fields.
type Config struct {
	// The service that a mount is of. Where URL is empty it is the embedded one.
	URL          string
	Username     string
	Password     string // of the environment or a profile; no flag tells one
	PasswordFile string // has the password with or without a newline
	// PasswordCommand is a line for the shell; the first line that it prints is the password.
	PasswordCommand string
	Keyring         bool // the desktop's keyring has the password

	// About one call.
	ConfigFile string // --config
	Daemon     bool
	Options    []string // as mount(8) has them
	Sloppy     bool     // unknown ones are left out

	profile *profile.Profile
	sources map[string]source // of the settings, by their keys

	Data string // directory of the embedded service

	// mount
	AllowDelete    bool
	ReadOnly       bool
	AllowOther     bool
	UID, GID       int // owner of all files; unset stands for the user who mounts
	Umask          string
	TreeTTL        time.Duration
	DocumentTTL    time.Duration
	RPM            int // requests in a sliding minute, 0 for no limit; unset: 45, 0 for the embedded service
	MaxWait        time.Duration
	WriteBack      bool
	Local          []string // patterns of names that stay here
	Transfers      int
	CacheSize      string // 10GiB
	RootURL        string
	RootID         int64
	PublicURL      string
	PDFOptions     string // xmlOptions of ProcessPDF
	CAFile         string
	AllowPlainHTTP bool
	ContentHosts   []string
	XAttrs         bool
	OnlyTwenty     bool
	EscapeAll      bool
	LogLevel       string
	MetricsListen  string
	LogFile        string // or journal; empty: standard error, for a daemon see daemonLog
	inDaemon       bool   // this process stays
	logTo          *os.File
	toJournal      bool // logTo is the journal
	kernelOptions  []string

	// admin
	JSON bool

	// serve
	LogFormat          string
	AdminListen        string
	Listen             string
	TLSCert            string
	TLSKey             string
	TreeForm           string
	Namespace          string
	CDATA              string
	ImageTypes         string
	StrictCodes        bool
	BasePath           string
	Proxies            []string // addresses and CIDR ranges whose headers count
	BodyLimit          int64
	PDFLimit           int64
	ServiceRPM         int
	TrashDays          int
	PDFQueue           int
	AddressConnections int
	AddressRequests    int
	NoExtended         bool
	SearchOutage       bool
	Clock              string
}

// The requests a minute that the vendor's service is asked for at most; it
// wants fewer than 50.
const remoteRPM = 45

// unset stands for a number that no flag gave.
const unset = math.MinInt

// NewConfig has the defaults; settle adds to those of a mount what else says
// something. XDG directories are those of now.
func NewConfig() *Config {
	xdg.Reload()
	return &Config{
		Data: filepath.Join(xdg.DataHome, "paperfs"),

		UID:         unset,
		GID:         unset,
		Umask:       "022",
		TreeTTL:     5 * time.Minute,
		DocumentTTL: time.Minute,
		RPM:         unset,
		MaxWait:     10 * time.Second,
		Transfers:   4,
		CacheSize:   "10GiB",
		RootURL:     "/",
		LogLevel:    "info",
		LogFormat:   "text",

		Listen:             "127.0.0.1:8080",
		TreeForm:           "wrapped",
		CDATA:              "tight",
		ImageTypes:         "names",
		TrashDays:          30,
		PDFQueue:           1000,
		AddressConnections: 256,
		AddressRequests:    100,
	}
}

// Embedded reports whether a mount runs on the embedded service.
func (c *Config) Embedded() bool { return c.URL == "" }

// embeddedPDFOptions make the PDF the source of a paper's links and index too.
// On another service they would replace what was made there by hand.
const embeddedPDFOptions = `<options><preserve-index>false</preserve-index><import-bookmarks>true</import-bookmarks>` +
	`<preserve-links>false</preserve-links><import-links>true</import-links><import-links-styleid>1</import-links-styleid></options>`

// pdfOptions are what a PDF is sent with.
func (c *Config) pdfOptions() string {
	if c.PDFOptions == "" && c.Embedded() {
		return embeddedPDFOptions
	}
	return c.PDFOptions
}

// checkService refuses a half-configured service.
func (c *Config) checkService() error {
	credentials := c.Username != "" || c.hasPassword()
	switch {
	case c.Embedded() && credentials && c.profile.Name == "":
		return &usage.Error{Err: errors.New("PAPERFS_URL is not set, but a user name or password is: set all of PAPERFS_URL, PAPERFS_USERNAME and PAPERFS_PASSWORD, or none for the embedded service")}
	case c.Embedded() && credentials:
		return &usage.Error{Err: fmt.Errorf("%s is not set, but a user name or password is: set all three, or none for the embedded service", c.nameOf("url"))}
	case c.Embedded():
		return nil
	case c.Username == "":
		return &usage.Error{Err: fmt.Errorf("%s is not set", c.nameOf("username"))}
	case !c.hasPassword() && !onTerminal():
		return &usage.Error{Err: fmt.Errorf("neither %s nor %s is set, and there is no terminal to ask on", c.nameOf(profile.PasswordKey), c.nameOf("password_file"))}
	}
	return c.checkPasswordIsForService()
}

// checkPasswordIsForService: a profile's password goes to no other service than
// the profile's.
func (c *Config) checkPasswordIsForService() error {
	s, there := c.profile.Settings["url"]
	for _, key := range passwordKeys {
		if c.sources[key].rank == inProfile && c.sources["url"].rank != inProfile && (!there || s.Value != c.URL) {
			return &usage.Error{Err: fmt.Errorf("%s is %s, and %s is for another service: set PAPERFS_PASSWORD too, or do without %s", c.sources["url"].name, c.URL, c.nameOf(key), c.sources["url"].name)}
		}
	}
	return nil
}

// rpm is the mount's limit of requests a minute, 0 for none.
func (c *Config) rpm() (int, error) {
	if c.RPM >= 0 {
		return c.RPM, nil
	}
	if c.RPM != unset {
		return 0, &usage.Error{Err: fmt.Errorf("%s is %d: give a number of requests, or 0 for no limit", c.nameOf("rpm"), c.RPM)}
	}
	if c.Embedded() {
		return 0, nil
	}
	return remoteRPM, nil
}

// cacheSize is the bound of the content cache in bytes.
func (c *Config) cacheSize() (int64, error) {
	size, ok := usage.Size(c.CacheSize)
	if !ok {
		return 0, &usage.Error{Err: fmt.Errorf("--cache-size %q: give a size such as 500MiB or 1.5GiB", c.CacheSize)}
	}
	return max(size, 1), nil // 0 keeps nothing; the store takes that for its default
}

func (c *Config) umask() (uint32, error) {
	mask, err := strconv.ParseUint(c.Umask, 8, 32)
	if err != nil || mask > 0o777 {
		return 0, &usage.Error{Err: fmt.Errorf("--umask %q: give an octal number up to 777", c.Umask)}
	}
	return uint32(mask), nil
}
