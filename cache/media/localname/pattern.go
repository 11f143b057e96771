package localname

// Pattern is a form of names that stay here, made by any program.
type Pattern struct {
	Glob string // as path.Match reads it
	Why  string // whose names these are

	unfinished bool // whose content is to get another name when it is whole
}

// Everywhere are the patterns that count in every mount; `paperfs help names`
// shows them.
var Everywhere = []Pattern{
	{".*", "rsync, editors, desktops, version control, NFS, macOS; trash and lock files", false},
	{"*~", "backups of editors", false},
	{"~$*", "locks of office programs", false},
	{"#?*#", "Emacs", false},
	{"*.part", "downloads of Firefox, yt-dlp and others", true},
	{"*.partial", "downloads", true},
	{"*.crdownload", "downloads of Chromium and Chrome", true},
	{"*.download", "downloads of Safari", true},
	{"*.opdownload", "downloads of Opera", true},
	{"*.tmp", "office programs and others", true},
	{"*.~qpdf-*#", "qpdf, when it replaces its input", true},
	{"*_exiftool_tmp", "ExifTool", true},
	{"thumbs.db", "Windows", false},
	{"desktop.ini", "Windows", false},
	{"$recycle.bin", "Windows", false},
	{"__macosx", "archives made by macOS", false},
	{"@eadir", "Synology", false},
	{"#recycle", "Synology", false},
	{"lost+found", "file systems", false},
}
