package config

import (
	"math"
	"os"
	"path/filepath"
	"time"

	"github.com/adrg/xdg"

	"paperfs/cmd/paperfs/profile"
)

// Config has all values of flags and environment. New sets the defaults; the flags of each
// command are bound to its fields.
type Config struct {
	// The service of a mount. If URL is empty, it is the embedded service.
	URL          string
	Username     string
	Password     string // from the environment or a profile; there is no flag for it
	PasswordFile string // has the password with or without a newline
	// PasswordCommand is a line for the shell; the first line that it prints is the password.
	PasswordCommand string
	Keyring         bool // the desktop's keyring has the password

	// Settings of one invocation.
	ConfigFile string // --config
	Daemon     bool
	Options    []string // as for mount(8)
	Sloppy     bool     // ignore unknown options

	profile *profile.Profile
	Sources map[string]source // sources of the settings, by key

	Data string // directory of the embedded service

	// mount
	AllowDelete    bool
	ReadOnly       bool
	AllowOther     bool
	UID, GID       int // owner of all files; unset means the user who mounts
	Umask          string
	TreeTTL        time.Duration
	DocumentTTL    time.Duration
	RPM            int // requests in a sliding minute, 0 for no limit; unset: 45, or 0 for the embedded service
	MaxWait        time.Duration
	WriteBack      bool
	Conflicts      string   // fail or copy
	Local          []string // patterns of names that stay on this machine
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
	LogFile        string // or journal; empty: standard error, or daemonLog for a daemon
	InDaemon       bool   // this is the background process
	LogTo          *os.File
	toJournal      bool // LogTo is the journal
	KernelOptions  []string

	// admin
	JSON bool

	// serve
	Database           string // address of PostgreSQL; empty: everything is in Data
	Objects            string // address of an object store
	Scratch            string // directory of a node
	Node               string // the node's name
	Jobs               int    // PDFs processed at a time
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
	Proxies            []string // addresses and CIDR ranges of trusted proxies
	BodyLimit          int64
	PDFLimit           int64
	ServiceRPM         int
	TrashDays          int
	PDFQueue           int
	AddressConnections int
	AddressRequests    int
	AddressOrders      int
	NoExtended         bool
	SearchOutage       bool
	Clock              string
}

// remoteRPM is the default limit of requests a minute to the vendor's service, which asks
// for fewer than 50.
const remoteRPM = 45

// unset is the value of a number that no flag has set.
const unset = math.MinInt

// New returns the defaults; Resolve applies flags, environment and profile. New reads the XDG
// directories again.
func New() *Config {
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
		Conflicts:   "fail",

		Jobs:               2,
		Listen:             "127.0.0.1:8080",
		TreeForm:           "wrapped",
		CDATA:              "tight",
		ImageTypes:         "names",
		TrashDays:          30,
		PDFQueue:           1000,
		AddressConnections: 256,
		AddressRequests:    100,
		AddressOrders:      30,
	}
}

// Embedded reports whether a mount runs on the embedded service.
func (c *Config) Embedded() bool { return c.URL == "" }

// ProfileFile returns the path of the file of profiles.
func (c *Config) ProfileFile() string {
	switch file := os.Getenv("PAPERFS_CONFIG"); {
	case c.ConfigFile != "":
		return c.ConfigFile
	case file != "":
		return file
	}
	return profile.DefaultPath()
}

// embeddedPDFOptions also import a paper's links and index from the PDF. On another service
// they would replace manual edits.
const embeddedPDFOptions = `<options><preserve-index>false</preserve-index><import-bookmarks>true</import-bookmarks>` +
	`<preserve-links>false</preserve-links><import-links>true</import-links><import-links-styleid>1</import-links-styleid></options>`

// EffectivePDFOptions returns the options with which a PDF is sent.
func (c *Config) EffectivePDFOptions() string {
	if c.PDFOptions == "" && c.Embedded() {
		return embeddedPDFOptions
	}
	return c.PDFOptions
}
