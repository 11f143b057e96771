package tree

// State says how the newest content of a node relates to the service; the documentation of
// package media has the table. Directories, symbolic links, pipes and sockets have no content:
// their state only says whether they are queued, local or removed.
type State uint8

const (
	Clean     State = iota // the service has all content
	Dirty                  // written locally, not queued
	Pending                // closed and queued
	Rewritten              // queued, and written again
	Scratch                // stays on this machine
	Orphan                 // no name shows it
)

// String returns the state's name in the table.
func (st State) String() string {
	return [...]string{"clean", "dirty", "pending", "rewritten", "scratch", "orphan"}[st]
}

// Event is something that happens to a node.
type Event uint8

const (
	Written       Event = iota // a local write
	Enqueued                   // a close with --write-back queued it, or the last release of content that no close sent; or a directory was queued
	Cancelled                  // it left the queue
	Uploaded                   // the service has the newest local content
	Outdated                   // the service has the content from before the last write
	Reverted                   // the service's version is shown again, after a kill; or a directory left the queue
	ReplacedOther              // a rename put it over a published file
	Hidden                     // it becomes scratch
	Shown                      // it becomes visible, also beside the version that took its name
	Unlinked                   // its last name was removed, or has another inode now
)

// Transitions is the table. An event that is missing in a state does not happen there.
var Transitions = map[State]map[Event]State{
	Clean:     {Written: Dirty, Enqueued: Pending, Uploaded: Clean, Outdated: Dirty, Reverted: Clean, ReplacedOther: Dirty, Hidden: Scratch, Unlinked: Orphan},
	Dirty:     {Written: Dirty, Enqueued: Pending, Uploaded: Clean, Outdated: Dirty, Reverted: Clean, ReplacedOther: Dirty, Hidden: Scratch, Unlinked: Orphan},
	Pending:   {Written: Rewritten, Enqueued: Pending, Cancelled: Dirty, Outdated: Pending, ReplacedOther: Pending},
	Rewritten: {Written: Rewritten, Enqueued: Pending, Cancelled: Dirty, Outdated: Rewritten, ReplacedOther: Rewritten},
	Scratch:   {Written: Scratch, Hidden: Scratch, Shown: Clean, Unlinked: Orphan},
	Orphan:    {Written: Orphan, Uploaded: Orphan, Outdated: Orphan, Shown: Dirty},
}

// OnEvent is called for each event, with whether the table has it. Tests set it before they
// start.
var OnEvent func(st State, ev Event, known bool)
