package localname

import "strings"

// Pattern matches names that stay local, whatever program creates them.
type Pattern struct {
	Glob string // in the syntax of path.Match
	Why  string // which programs use such names

	unfinished bool // the content gets another name when it is complete
}

// Everywhere are the patterns of every mount; `paperfs help names` shows them.
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
	{"*.__tmp", "programs that write a file beside the one that they replace", true},
	{"*.ffs_tmp", "FreeFileSync", true},
	{"*.filepart", "WinSCP", true},
	{"*.sb-????????-??????", "directories in which macOS writes what it saves", true},
	{"*.~qpdf-*#", "qpdf, when it replaces its input", true},
	{"*_exiftool_tmp", "ExifTool", true},
	{"~*~*.idlk", "locks of InDesign", false},
	{"*.prlock", "locks of Premiere", false},
	{"thumbs.db", "Windows", false},
	{"desktop.ini", "Windows", false},
	{"$recycle.bin", "Windows", false},
	{"__macosx", "archives made by macOS", false},
	{"@eadir", "Synology", false},
	{"#recycle", "Synology", false},
	{"lost+found", "file systems", false},
}

// sidecarSuffixes are the suffixes of SQLite's journal, log and index. A name with one of them
// stays local if the directory has a file with the name before it.
var sidecarSuffixes = []string{"-journal", "-wal", "-shm"}

// Sidecars returns the names of the sidecar files of a database.
func Sidecars(name string) []string {
	names := make([]string, len(sidecarSuffixes))
	for i, end := range sidecarSuffixes {
		names[i] = name + end
	}
	return names
}

// IsSidecar reports whether name has the form of a sidecar file.
func IsSidecar(name string) bool {
	for _, end := range sidecarSuffixes {
		if len(name) > len(end) && strings.HasSuffix(name, end) {
			return true
		}
	}
	return false
}

// superJournal reports whether name is that of SQLite's super-journal, used to commit to
// several databases at once: X-mj, six digits, 9 and two more digits, in upper-case
// hexadecimal. It exists during the commit, or until an interrupted commit was rolled back. It
// does not move with the content of X, because the journals of all these databases refer to it.
func superJournal(name string, sibling func(string) bool) bool {
	const random = "-mjHHHHHH9HH"
	at := len(name) - len(random)
	if at <= 0 || name[at:at+3] != "-mj" || name[len(name)-3] != '9' {
		return false
	}
	return strings.Trim(name[at+3:], "0123456789ABCDEF") == "" && sibling(name[:at])
}

func isSidecarOf(name string, sibling func(string) bool) bool {
	for _, end := range sidecarSuffixes {
		if stem, ok := strings.CutSuffix(name, end); ok && stem != "" && sibling(stem) {
			return true
		}
	}
	return false
}
