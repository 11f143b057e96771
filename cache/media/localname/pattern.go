package localname

import "strings"

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

// besides are the ends of names that stay here where a file of the name without the end
// is in the same directory: SQLite's journal, log and index of X.
var besides = []string{"-journal", "-wal", "-shm"}

// Besides are the names of the files that SQLite keeps beside a database.
func Besides(name string) []string {
	names := make([]string, len(besides))
	for i, end := range besides {
		names[i] = name + end
	}
	return names
}

// IsBeside reports whether a name is of the form of those files.
func IsBeside(name string) bool {
	for _, end := range besides {
		if len(name) > len(end) && strings.HasSuffix(name, end) {
			return true
		}
	}
	return false
}

// superJournal reports whether a name is that of the file by which SQLite commits to several databases
// at once: X-mj, six digits, 9 and two digits more, in upper-case hexadecimal. It is there for the moment of the
// commit, or until the next one who opens a database has rolled a commit back that was cut off. It does not go with the
// content of X: the journals of all these databases name it.
func superJournal(name string, sibling func(string) bool) bool {
	const random = "-mjHHHHHH9HH"
	at := len(name) - len(random)
	if at <= 0 || name[at:at+3] != "-mj" || name[len(name)-3] != '9' {
		return false
	}
	return strings.Trim(name[at+3:], "0123456789ABCDEF") == "" && sibling(name[:at])
}

func beside(name string, sibling func(string) bool) bool {
	for _, end := range besides {
		if stem, ok := strings.CutSuffix(name, end); ok && stem != "" && sibling(stem) {
			return true
		}
	}
	return false
}
