package lock

// Rank is the place of a lock in the order.
type Rank interface{ rank() int }

// The ranks, in their order: a goroutine that holds a lock takes only locks of
// later ranks. Of Body it may hold several.
type (
	Sending    struct{} // a draft's: one Send at a time
	Draft      struct{} // a draft's content
	Known      struct{} // what is known of a draft
	Load       struct{} // a file's content on its way from the service
	Body       struct{} // a file's local content; of several, in the order of their inodes
	Failures   struct{} // what is in failed/
	Tombstones struct{} // the log of what was removed here
	Flights    struct{} // which GetTree is under way
	Store      struct{} // the tree, and everything else that has no lock of its own
	Outbox     struct{} // what is queued
	Table      struct{} // what is written to the database
	Caller     struct{} // who waits for a change of names
	Room       struct{} // how much of the disk is used
	Contents   struct{} // which published content is kept
	Unknown    struct{} // names of uploads with an unknown outcome
	Intents    struct{} // renames that an earlier run began
	Progress   struct{} // which uploads are under way
	Drafts     struct{} // which drafts have content
	Names      struct{} // which names are locked
	Gate       struct{} // whether content is sent on
	Sync       struct{} // whether a sync has failed
	Ballast    struct{} // the file that takes room
)

// Order names the ranks, the first first.
var Order = []string{
	"Sending", "Draft", "Known", "Load", "Body", "Failures", "Tombstones", "Flights", "Store", "Outbox", "Table",
	"Caller", "Room", "Contents", "Unknown", "Intents", "Progress", "Drafts", "Names", "Gate", "Sync", "Ballast",
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
func (Intents) rank() int    { return 15 }
func (Progress) rank() int   { return 16 }
func (Drafts) rank() int     { return 17 }
func (Names) rank() int      { return 18 }
func (Gate) rank() int       { return 19 }
func (Sync) rank() int       { return 20 }
func (Ballast) rank() int    { return 21 }

// several is the rank of which one may hold more than one lock.
var several = Body{}.rank()
