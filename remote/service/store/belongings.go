package store

// Belongings counts the records and media bytes of one tenant.
type Belongings struct {
	Accounts   int
	Categories int // without the root
	Papers     int
	Dirs       int // media directories
	Files      int // media files
	MediaBytes int64
	Orders     int
	Jobs       int
	Fields     int
}
