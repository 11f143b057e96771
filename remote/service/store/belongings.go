package store

// Belongings counts what belongs to a tenant.
type Belongings struct {
	Accounts   int
	Categories int // without the root
	Papers     int
	Dirs       int // of media
	Files      int // of media
	MediaBytes int64
	Orders     int
	Jobs       int
	Fields     int
}
