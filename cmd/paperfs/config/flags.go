package config

import (
	"github.com/spf13/pflag"

	"paperfs/cmd/paperfs/cli"
)

// MountFlags are the settings of a mount as flags, in the groups of the help.
func MountFlags(c *Config) []*pflag.FlagSet {
	return []*pflag.FlagSet{
		cli.FlagGroup("Service", c.BindService),
		cli.FlagGroup("Tree", func(f *pflag.FlagSet) { c.BindRoot(f); c.bindTree(f) }),
		cli.FlagGroup("Media", c.bindMedia),
		cli.FlagGroup("Permissions", c.bindPermissions),
		cli.FlagGroup("Limits", c.bindLimits),
		cli.FlagGroup("Logging and metrics", c.bindLogging),
		cli.FlagGroup("Profiles", c.BindConfigFile),
	}
}

// BindCall binds flags that only mount has.
func (c *Config) BindCall(f *pflag.FlagSet) {
	f.BoolVar(&c.Daemon, "daemon", c.Daemon, "run in the background; return when the mount is ready")
	f.StringArrayVarP(&c.Options, "option", "o", c.Options, "`OPTIONS` of mount(8), such as ro,allow_other,tree_ttl=10m; every flag except --daemon is also an option")
	f.BoolVar(&c.Sloppy, "sloppy", c.Sloppy, "ignore unknown -o options")
}

func (c *Config) BindConfigFile(f *pflag.FlagSet) {
	f.StringVar(&c.ConfigFile, "config", c.ConfigFile, "`FILE` of the profiles (default: PAPERFS_CONFIG, else config.toml in ~/.config/paperfs)")
}

func (c *Config) BindService(f *pflag.FlagSet) {
	f.StringVar(&c.URL, "url", c.URL, "`ADDRESS` of the service, without /V2 (default: the embedded service)")
	f.StringVar(&c.Username, "username", c.Username, "`NAME` of the account")
	f.StringVar(&c.PasswordFile, "password-file", c.PasswordFile, "`FILE` with the password")
	f.StringVar(&c.PasswordCommand, "password-command", c.PasswordCommand, "`COMMAND` for sh whose first line of output is the password, such as 'pass show acme'")
	f.BoolVar(&c.Keyring, "keyring", c.Keyring, "the password is in the desktop's keyring")
	f.StringVar(&c.Data, "data", c.Data, "`DIR` of the embedded service's data")
	f.StringVar(&c.PublicURL, "public-url", c.PublicURL, "`ADDRESS` that preview links begin with, needed if the service has a base path (default: scheme and host of --url)")
	f.StringVar(&c.PDFOptions, "pdf-options", c.PDFOptions, "xmlOptions (`XML`) that a PDF is processed with (default: the service's; the embedded one imports links and bookmarks): see paperfs help reader")
	f.StringVar(&c.CAFile, "ca-file", c.CAFile, "`FILE` of certificates (PEM) to trust in addition to the system's")
	f.BoolVar(&c.AllowPlainHTTP, "allow-plain-http", c.AllowPlainHTTP, "send the password over http to other machines")
	f.StringSliceVar(&c.ContentHosts, "content-host", c.ContentHosts, "a further `HOST[:PORT]` that media files and page images may be read from; may be repeated (without it: the service's own origin, and other hosts by https at public addresses)")
	f.BoolVar(&c.OnlyTwenty, "only-twenty", c.OnlyTwenty, "call only the twenty operations of the interface document")
	f.BoolVar(&c.EscapeAll, "escape-all", c.EscapeAll, "also percent-encode / and = in uploaded content, for a service that refuses them unencoded")
}

// BindRoot binds the flags that name the category shown as papers/.
func (c *Config) BindRoot(f *pflag.FlagSet) {
	f.StringVar(&c.RootURL, "root-url", c.RootURL, "`ADDRESS` of the category shown as papers/")
	f.Int64Var(&c.RootID, "root-id", c.RootID, "`ID` of that category, in place of its address")
}

func (c *Config) bindTree(f *pflag.FlagSet) {
	f.DurationVar(&c.TreeTTL, "tree-ttl", c.TreeTTL, "read the tree again, in the background, when it is older than `AGE`")
	f.DurationVar(&c.DocumentTTL, "document-ttl", c.DocumentTTL, "read a document or value again when it is older than `AGE`")
	f.BoolVar(&c.XAttrs, "xattrs", c.XAttrs, "show the output of paperfs stat as extended attributes, user.paperfs.* (makes ls -l slow)")
}

func (c *Config) bindMedia(f *pflag.FlagSet) {
	f.BoolVar(&c.WriteBack, "write-back", c.WriteBack, "a close returns as soon as the content is durably queued: see paperfs help write-back")
	f.StringVar(&c.Conflicts, "conflicts", c.Conflicts, "what becomes of content that would replace a version that somebody else has uploaded meanwhile, `MODE`: fail (the close fails, and the content is in .paperfs/failed), or copy (it is published beside that version)")
	f.IntVar(&c.Transfers, "transfers", c.Transfers, "`NUMBER` of queued uploads at a time")
	f.StringArrayVar(&c.Local, "local", c.Local, "`PATTERN` of names in media/ that stay on this machine, such as '*.bak', in addition to those in paperfs help names; may be repeated")
	f.StringVar(&c.CacheSize, "cache-size", c.CacheSize, "`SIZE` of the published content that is kept for reading, while 256 MiB of the disk are free; the least recently used goes first")
}

func (c *Config) bindPermissions(f *pflag.FlagSet) {
	f.BoolVar(&c.AllowDelete, "allow-delete", c.AllowDelete, "let rmdir and rm delete on the service")
	f.BoolVar(&c.ReadOnly, "read-only", c.ReadOnly, "refuse every change")
	f.BoolVar(&c.AllowOther, "allow-other", c.AllowOther, "let other users of this machine use the mount, and the embedded service")
	f.IntVar(&c.UID, "uid", c.UID, "owner of all files, a user `ID` (default: you)")
	f.IntVar(&c.GID, "gid", c.GID, "group of all files, a group `ID` (default: yours)")
	f.StringVar(&c.Umask, "umask", c.Umask, "umask applied to all files, in octal `DIGITS`; modes that were set in media/ are shown as they are")
	for _, name := range []string{"uid", "gid"} {
		f.Lookup(name).DefValue = "0" // the default is meaningless to a reader; the text explains it
	}
}

func (c *Config) bindLimits(f *pflag.FlagSet) {
	f.IntVar(&c.RPM, "rpm", c.RPM, "send at most `NUMBER` requests in any minute, 0 for no limit (default: 45, for the embedded service 0)")
	f.Lookup("rpm").DefValue = "0" // unset; the text explains the default
	f.DurationVar(&c.MaxWait, "max-wait", c.MaxWait, "a read waits at most `TIME` for its turn under --rpm")
}

func (c *Config) bindLogging(f *pflag.FlagSet) {
	f.StringVar(&c.LogLevel, "log-level", c.LogLevel, "`LEVEL` of the log: debug, info, warn or error")
	f.StringVar(&c.LogFormat, "log-format", c.LogFormat, "`FORMAT` of the log: text or json")
	f.StringVar(&c.LogFile, "log-file", c.LogFile, "`FILE` that the log is appended to, or journal (default: standard error; with --daemon the system's journal, else a file in ~/.local/state/paperfs/log)")
	f.StringVar(&c.MetricsListen, "metrics-listen", c.MetricsListen, "loopback `ADDRESS` or path of a socket for /metrics, which needs no credentials; empty: none")
}
