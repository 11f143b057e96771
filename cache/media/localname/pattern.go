package localname

// Pattern is a form of names that stay here, whoever makes them.
type Pattern struct {
	Glob string // as path.Match reads it
	Why  string // whose names these are
}

// Everywhere are the patterns that count in every mount; `paperfs help names`
// shows them.
var Everywhere = []Pattern{
	{".*", "rsync, editors, desktops, version control, NFS, macOS; trash and lock files"},
	{"*~", "backups of editors"},
	{"~$*", "locks of office programs"},
	{"#?*#", "Emacs"},
	{"*.part", "downloads of Firefox, yt-dlp and others"},
	{"*.partial", "downloads"},
	{"*.crdownload", "downloads of Chromium and Chrome"},
	{"*.download", "downloads of Safari"},
	{"*.opdownload", "downloads of Opera"},
	{"*.tmp", "office programs and others"},
	{"thumbs.db", "Windows"},
	{"desktop.ini", "Windows"},
	{"$recycle.bin", "Windows"},
	{"__macosx", "archives made by macOS"},
	{"@eadir", "Synology"},
	{"#recycle", "Synology"},
	{"lost+found", "file systems"},
}
