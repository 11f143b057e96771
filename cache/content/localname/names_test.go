package localname

import (
	"testing"

	"github.com/stretchr/testify/require"
)

func TestLocalNames(t *testing.T) {
	for _, c := range []struct {
		name, comm string
		want       bool
	}{
		{".photo.jpg.Xa81Bc", "rsync", true},
		{".~tmp~", "rsync", true},
		{".photo.jpg.swp", "vim", true},
		{".DS_Store", "", true},
		{"._photo.jpg", "", true},
		{".goutputstream-1A2B3C", "", true},
		{".Trash-1000", "", true},
		{".nfs000000000123", "", true},
		{".~lock.offer.odt#", "soffice.bin", true},
		{"letter.txt~", "gedit", true},
		{"#letter.txt#", "emacs", true},
		{"##", "emacs", false},
		{"~$offer.docx", "", true},
		{"sedAb12xZ", "sed", true},
		{"sedAb12xZ", "busybox", true},
		{"sedAb12xZ", "cp", false},
		{"sedAb12xZ", "", false},
		{"sedAb12x", "sed", false},
		{"sedAb12x-", "sed", false},
		{"letter.txtAb12xZ", "busybox", true},
		{"letter.txt202612", "busybox", false},
		{"letter.txt202612", "sed", true},
		{"letter.txtAb12xZ", "cp", false},
		{"other.txtAb12xZ", "busybox", false},
		{"ziAb12xZ", "zip", true},
		{"ziAb12xZ", "cp", false},
		{"zipAb12xZ", "zip", false},
		{"XXAb12xZ", "perl", true},
		{"XXAb12xZ", "cp", false},
		{"letter.txt.oAb12xZ", "patch", true},
		{"letter.txt.rAb12xZ", "patch", true},
		{"letter.txt.xAb12xZ", "patch", false},
		{"lu17334q6ogl4.tmp", "soffice.bin", true},
		{"lu17334q6ogl4.tmp", "cp", true},
		{"offer.tmp.docx", "", false},
		{".tmp", "", true},
		{"Katalog Frühling.pdf.part", "firefox", true},
		{"Unconfirmed 120331.crdownload", "chrome", true},
		{"catalogue.pdf.opdownload", "", true},
		{"catalogue.pdf.download", "", true},
		{"catalogue.PARTIAL", "", true},
		{"part", "", false},
		{"Spring.pdf.~qpdf-temp#", "qpdf", true},
		{"Spring.pdf.~qpdf-orig#", "qpdf", true},
		{"Spring.pdf_exiftool_tmp", "exiftool", true},
		{"Spring.pdf_original", "exiftool", false},
		{"Spring.pdf.filepart", "winscp", true},
		{"Spring.pdf-1a2b.ffs_tmp", "", true},
		{"Spring.pdf.__tmp", "", true},
		{"Spring.pdf.sb-6d6ce842-tI5oYC", "smbd", true},
		{"Spring.pdf.sb-6d6ce842-tI5oY", "smbd", false},
		{"Spring.pdf.AbCdEf", "okular", true},
		{"Spring.pdf.ABCDEF", "okular", false},
		{"Spring.pdf.backup", "cp", false},
		{"Spring.pdf.AbCdE1", "cp", false},
		{"notes.AbCdEf", "kate", false},
		{".AbCdEf", "kate", true},
		{"a.AbCdEf", "kate", false},
		{"~spring~a1b2c3.idlk", "InDesign", true},
		{"spring.idlk", "", false},
		{"spring.prlock", "Premiere", true},
		{"catalogue.parts", "", false},
		{"tmpab12cd_4", "python3", true},
		{"tmpab12cd_4x", "python3", false},
		{"tmpab12CD34", "python3", false},
		{"tmpab12cd_4.pdf", "python3", false},
		{"letter.txt-wal", "sqlite3", true},
		{"letter.txt-shm", "", true},
		{"letter.txt-journal", "", true},
		{"other.txt-journal", "", false},
		{"letter.txt-mj0A1B2C9EF", "sqlite3", true},
		{"letter.txt-mj0A1B2C9EF", "", true},
		{"other.txt-mj0A1B2C9EF", "", false},
		{"letter.txt-mj0A1B2C8EF", "", false},
		{"letter.txt-mj0a1b2c9ef", "", false},
		{"letter.txt-mj0A1B2C9E", "", false},
		{"-mj0A1B2C9EF", "", false},
		{"-wal", "", false},
		{"Thumbs.db", "", true},
		{"DESKTOP.INI", "", true},
		{"__MACOSX", "unzip", true},
		{"@eaDir", "", true},
		{"#recycle", "", true},
		{"$RECYCLE.BIN", "", true},
		{"lost+found", "", true},
		{"lunch.odt", "soffice.bin", false},
		{"4913", "vi", true},
		{"4913", "vim.tiny", true},
		{"4913", "cp", false},
		{"photo.jpg", "rsync", false},
		{"~photo.jpg", "", false},
		{"a.b", "", false},
	} {
		sibling := func(name string) bool { return name == "letter.txt" }
		require.Equal(t, c.want, Names{}.Local(c.name, c.comm, sibling), "%s by %s", c.name, c.comm)
	}
}

func TestPatternsThatTheUserAdds(t *testing.T) {
	n, err := New([]string{"*.bak", "Entwürfe"})
	require.NoError(t, err)
	none := func(string) bool { return false }
	for name, want := range map[string]bool{"a.bak": true, "A.BAK": true, "ENTWÜRFE": true, "a.bak2": false, "a.part": true, "a": false} {
		require.Equal(t, want, n.Local(name, "", none), name)
	}
	for _, bad := range []string{"", "[", "a/b", `\`} {
		_, err := New([]string{bad})
		require.ErrorContains(t, err, "is not a file name pattern", "%q", bad)
	}
}

// TestUnfinishedNames covers names of incomplete content, and names that nobody means to
// publish.
func TestUnfinishedNames(t *testing.T) {
	for _, name := range []string{"x.part", "X.PART", "x.partial", "x.crdownload", "x.download", "x.opdownload", "x.tmp", "tmpab12_xyz", ".x.pdf.Xa81Bc"} {
		require.True(t, Unfinished(name), name)
	}
	for _, name := range []string{"x", "Thumbs.db", ".DS_Store", ".hidden", "x~", "__MACOSX", "Xa81Bc", ".Xa81Bc"} {
		require.False(t, Unfinished(name), name)
	}
}
