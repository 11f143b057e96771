package config

import (
	"os"
	"path/filepath"
	"slices"
	"time"

	"github.com/adrg/xdg"
	"github.com/spf13/pflag"

	"paperfs/cmd/paperfs/cli"
	"paperfs/cmd/paperfs/profile"
)

// Config has the configuration of a mount. Its settings are rows of the table that table.go explains:
// a new one is one field here, and its use.
type Config struct {
	// If URL is empty, it is the embedded service.
	URL             string   `group:"Service" flag:"url" value:"ADDRESS" help:"ADDRESS of the service, without /V2 (default: the embedded service)"`
	Username        string   `flag:"username" value:"NAME" help:"NAME of the account"`
	PasswordFile    string   `flag:"password-file" value:"FILE" help:"FILE with the password"`
	PasswordCommand string   `flag:"password-command" value:"COMMAND" help:"COMMAND for sh whose first line of output is the password, such as 'pass show acme'"`
	Keyring         bool     `flag:"keyring" help:"the password is in the desktop's keyring"`
	Data            string   `flag:"data" value:"DIR" help:"DIR of the embedded service's data"`
	PublicURL       string   `flag:"public-url" value:"ADDRESS" help:"ADDRESS that preview links begin with, needed if the service has a base path (default: scheme and host of --url)"`
	PDFOptions      string   `flag:"pdf-options" value:"XML" help:"xmlOptions (XML) that a PDF is processed with (default: the service's; the embedded one imports links and bookmarks): see paperfs help pdf"`
	CAFile          string   `flag:"ca-file" value:"FILE" help:"FILE of certificates (PEM) to trust in addition to the system's"`
	AllowPlainHTTP  bool     `flag:"allow-plain-http" help:"send the password over http to other machines"`
	ContentHosts    []string `flag:"content-host" list:"by commas" value:"HOST[:PORT]" help:"a further HOST[:PORT] that media files and page images may be read from; may be repeated (without it: the service's own origin, and other hosts by https at public addresses)"`
	OnlyTwenty      bool     `flag:"only-twenty" help:"call only the twenty operations of the interface document"`
	EscapeAll       bool     `flag:"escape-all" help:"also percent-encode / and = in uploaded content, for a service that refuses them unencoded"`

	RootURL     string        `group:"Tree" flag:"root-url" default:"/" value:"ADDRESS" help:"ADDRESS of the category shown as papers/"`
	RootID      int64         `flag:"root-id" value:"ID" help:"ID of that category, in place of its address"`
	TreeTTL     time.Duration `flag:"tree-ttl" default:"5m" range:"0s" value:"AGE" help:"read the tree again, in the background, when it is older than AGE"`
	DocumentTTL time.Duration `flag:"document-ttl" default:"1m" range:"0s" value:"AGE" help:"read a document or value again when it is older than AGE"`
	Timezone    string        `flag:"timezone" value:"ZONE" help:"ZONE, such as Europe/Berlin, that the dates in publication are days of (default: this machine's; TZ sets another)"`
	XAttrs      bool          `flag:"xattrs" help:"show the output of paperfs stat as extended attributes, user.paperfs.* (makes ls -l slow)"`

	WriteBack bool     `group:"Media" flag:"write-back" help:"a close returns as soon as the content is durably queued: see paperfs help write-back"`
	Conflicts string   `flag:"conflicts" default:"fail" words:"fail copy" value:"MODE" help:"what becomes of content that would replace a version that somebody else has uploaded meanwhile, MODE: fail (the close fails, and the content is in .paperfs/failed), or copy (it is published beside that version)"`
	Transfers int      `flag:"transfers" default:"4" range:"1" value:"NUMBER" help:"NUMBER of queued uploads at a time"`
	Local     []string `flag:"local" value:"PATTERN" help:"PATTERN of names in media/ that stay on this machine, such as '*.bak', in addition to those in paperfs help names; may be repeated"`
	CacheSize string   `flag:"cache-size" default:"10GiB" value:"SIZE" help:"SIZE of the published content that is kept for reading, while 256 MiB of the disk are free; the least recently used goes first"`

	AllowDelete bool   `group:"Permissions" flag:"allow-delete" help:"let rmdir and rm delete on the service; on the embedded one they do without it, because it keeps what is deleted (paperfs undo)"`
	NoDelete    bool   `flag:"no-delete" help:"delete nothing on the embedded service either"`
	ReadOnly    bool   `flag:"read-only" help:"refuse every change"`
	AllowOther  bool   `flag:"allow-other" help:"let other users of this machine use the mount, and the embedded service"`
	UID         int    `flag:"uid" range:"0..4294967294" value:"ID" help:"owner of all files, a user ID (default: you)"`
	GID         int    `flag:"gid" range:"0..4294967294" value:"ID" help:"group of all files, a group ID (default: yours)"`
	Umask       string `flag:"umask" default:"022" value:"DIGITS" help:"umask applied to all files, in octal DIGITS; modes that were set in media/ are shown as they are"`

	RPM     int           `group:"Limits" flag:"rpm" range:"0" value:"NUMBER" help:"send at most NUMBER requests in any minute, 0 for no limit (default: what the service says, which only paperfs's own does, else 45)"`
	MaxWait time.Duration `flag:"max-wait" default:"10s" range:"0s" value:"TIME" help:"a read waits at most TIME for its turn under --rpm"`

	LogLevel      string `group:"Logging and metrics" flag:"log-level" default:"info" value:"LEVEL" help:"LEVEL of the log: debug, info, warn or error"`
	LogFormat     string `flag:"log-format" default:"text" words:"text json" value:"FORMAT" help:"FORMAT of the log: text or json"`
	LogFile       string `flag:"log-file" value:"FILE" help:"FILE that the log is appended to, or journal (default: standard error; with --daemon the system's journal, else a file in ~/.local/state/paperfs/log)"`
	MetricsListen string `flag:"metrics-listen" value:"ADDRESS" help:"loopback ADDRESS or path of a socket for /metrics, which needs no credentials; empty: none"`

	Password string // from the environment or a profile; there is no flag for it
	profile  *profile.Profile
	Sources  map[string]source // sources of the settings, by key

	// MountFlags are the flags of the settings, and of the file of profiles, in the groups of the help. All commands
	// that have them have these: only one of the commands runs.
	MountFlags []*pflag.FlagSet

	// One call of mount.
	ConfigFile    string
	Daemon        bool
	Options       []string // as for mount(8)
	Sloppy        bool
	KernelOptions []string
	InDaemon      bool     // this is the background process
	LogTo         *os.File // nil: standard error
	toJournal     bool     // LogTo is the journal
}

// remoteRPM is the default limit of requests a minute to the vendor's service, which asks
// for fewer than 50.
const remoteRPM = 45

// New returns the defaults; Resolve applies flags, environment and profile. New reads the XDG
// directories again.
func New() *Config {
	c := &Config{Data: dataDir(), UID: os.Getuid(), GID: os.Getgid(), RPM: unset}
	c.MountFlags = slices.Clip(append(setDefaults(c), cli.FlagGroup("Profiles", c.BindConfigFile)))
	return c
}

func dataDir() string { xdg.Reload(); return filepath.Join(xdg.DataHome, "paperfs") }

// Pick returns a group of MountFlags with only the flags that have one of names; without names, all.
func (c *Config) Pick(title string, names ...string) *pflag.FlagSet {
	return cli.FlagGroup(title, func(picked *pflag.FlagSet) {
		for _, group := range c.MountFlags {
			group.VisitAll(func(f *pflag.Flag) {
				if group.Name() == title && (len(names) == 0 || slices.Contains(names, f.Name)) {
					picked.AddFlag(f)
				}
			})
		}
	})
}

func (c *Config) BindConfigFile(f *pflag.FlagSet) {
	f.StringVar(&c.ConfigFile, "config", c.ConfigFile, "`FILE` of the profiles (default: PAPERFS_CONFIG, else config.toml in ~/.config/paperfs)")
}

// BindCall binds flags that only mount has.
func (c *Config) BindCall(f *pflag.FlagSet) {
	f.BoolVar(&c.Daemon, "daemon", c.Daemon, "run in the background; return when the mount is ready")
	f.StringArrayVarP(&c.Options, "option", "o", c.Options, "`OPTIONS` of mount(8), such as ro,allow_other,tree_ttl=10m; every flag except --daemon is also an option")
	f.BoolVar(&c.Sloppy, "sloppy", c.Sloppy, "ignore unknown -o options")
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
