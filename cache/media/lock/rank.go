package lock

// Rank is the position of a lock in the order.
type Rank interface{ rank() int }

// The ranks, in order: a goroutine that holds a lock takes only locks of later ranks. It may
// hold several of rank Body.
type (
	Sending    struct{} // a draft's: one Send at a time
	Draft      struct{} // a draft's content
	Known      struct{} // what is known of a draft
	Load       struct{} // a download of a file's content
	Body       struct{} // a file's local content; several in order of inode number
	Failures   struct{} // what is in failed/
	Tombstones struct{} // the log of local removals
	Flights    struct{} // which GetTree is in progress
	Store      struct{} // the tree, and everything else that has no lock of its own
	Outbox     struct{} // the queue
	Table      struct{} // what is to be written to the database
	Caller     struct{} // who waits for a change of names
	Room       struct{} // how much of the disk is used
	Contents   struct{} // which published content is cached
	Unknown    struct{} // names of uploads with an unknown outcome
	Progress   struct{} // which uploads are in progress
	Drafts     struct{} // which drafts have content
	Names      struct{} // which names are locked
	Gate       struct{} // whether content may be sent to its end
	Sync       struct{} // whether a sync has failed
	Ballast    struct{} // the file that reserves disk space
)

// Order has the names of the ranks, in order.
var Order = []string{
	"Sending", "Draft", "Known", "Load", "Body", "Failures", "Tombstones", "Flights", "Store", "Outbox", "Table",
	"Caller", "Room", "Contents", "Unknown", "Progress", "Drafts", "Names", "Gate", "Sync", "Ballast",
}

func (Sending) rank() int    { return 0 }
func (Draft) rank() int      { return 1 }
func (Known) rank() int      { return 2 }
func (Load) rank() int       { return 3 }
func (Body) rank() int       { return 4 }
func (Failures) rank() int   { return 5 }
func (Tombstones) rank() int { return 6 }
func (Flights) rank() int    { return 7 }
func (Store) rank() int      { return 8 }
func (Outbox) rank() int     { return 9 }
func (Table) rank() int      { return 10 }
func (Caller) rank() int     { return 11 }
func (Room) rank() int       { return 12 }
func (Contents) rank() int   { return 13 }
func (Unknown) rank() int    { return 14 }
func (Progress) rank() int   { return 15 }
func (Drafts) rank() int     { return 16 }
func (Names) rank() int      { return 17 }
func (Gate) rank() int       { return 18 }
func (Sync) rank() int       { return 19 }
func (Ballast) rank() int    { return 20 }

// several is the rank of which a goroutine may hold several locks.
var several = Body{}.rank()
