package config

import (
	"math"
	"os"
	"path/filepath"
	"time"

	"github.com/adrg/xdg"

	"paperfs/cmd/paperfs/profile"
)

// Config is all that flags and environment can say. New has the
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
	Sources map[string]source // of the settings, by their keys

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
	InDaemon       bool   // this process stays
	LogTo          *os.File
	toJournal      bool // logTo is the journal
	KernelOptions  []string

	// admin
	JSON bool

	// serve
	Database           string // address of PostgreSQL; empty: everything is in Data
	Objects            string // address of an object store
	Scratch            string // directory of a node
	Node               string // its name
	Jobs               int    // PDFs at once
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

// New has the defaults; Resolve adds to those of a mount what else says
// something. XDG directories are those of now.
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

		Jobs:               2,
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

// ProfileFile is the file of profiles.
func (c *Config) ProfileFile() string {
	switch file := os.Getenv("PAPERFS_CONFIG"); {
	case c.ConfigFile != "":
		return c.ConfigFile
	case file != "":
		return file
	}
	return profile.DefaultPath()
}

// embeddedPDFOptions make the PDF the source of a paper's links and index too.
// On another service they would replace what was made there by hand.
const embeddedPDFOptions = `<options><preserve-index>false</preserve-index><import-bookmarks>true</import-bookmarks>` +
	`<preserve-links>false</preserve-links><import-links>true</import-links><import-links-styleid>1</import-links-styleid></options>`

// EffectivePDFOptions are what a PDF is sent with.
func (c *Config) EffectivePDFOptions() string {
	if c.PDFOptions == "" && c.Embedded() {
		return embeddedPDFOptions
	}
	return c.PDFOptions
}
