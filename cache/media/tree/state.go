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
	Stuck                  // queued to retry what failed locally at the last close
	Scratch                // stays on this machine
	Removed                // its last name was removed
	Lost                   // others deleted it at the service while it was open
	Strayed                // lost, or spoilt, with unsent content
)

// String returns the state's name in the table.
func (st State) String() string {
	return [...]string{"clean", "dirty", "pending", "rewritten", "stuck", "scratch", "removed", "lost", "strayed"}[st]
}

// Event is something that happens to a node.
type Event uint8

const (
	Written       Event = iota // a local write
	Enqueued                   // a close with --write-back queued it, or the last release of content that no close sent; or a directory was queued
	Waited                     // this machine could neither queue the content nor move it to failed/; it retries
	Cancelled                  // it left the queue
	Uploaded                   // the service has the newest local content
	Outdated                   // the service has the content from before the last write
	Reverted                   // the service's version is shown again, after a refusal
	Restored                   // the queued version is shown again, after a refusal of newer content
	ReplacedOther              // a rename put it over a published file
	Hidden                     // it becomes scratch
	Shown                      // it becomes visible
	Unlinked                   // its last name was removed
	Vanished                   // its last name was removed by others
	Spoiled                    // its content must not be published, so its name has let go of it
	Failed                     // the content of a strayed file moved to failed/
)

// Transitions is the table. An event that is missing in a state does not happen there.
var Transitions = map[State]map[Event]State{
	Clean:     {Written: Dirty, Enqueued: Pending, Waited: Stuck, Uploaded: Clean, Outdated: Dirty, Reverted: Clean, ReplacedOther: Dirty, Hidden: Scratch, Unlinked: Removed, Spoiled: Strayed},
	Dirty:     {Written: Dirty, Enqueued: Pending, Waited: Stuck, Uploaded: Clean, Outdated: Dirty, Reverted: Clean, ReplacedOther: Dirty, Hidden: Scratch, Unlinked: Removed, Vanished: Strayed, Spoiled: Strayed},
	Pending:   {Written: Rewritten, Enqueued: Pending, Cancelled: Dirty, Outdated: Pending, ReplacedOther: Pending},
	Rewritten: {Written: Rewritten, Enqueued: Pending, Cancelled: Dirty, Outdated: Rewritten, Restored: Pending, ReplacedOther: Rewritten, Spoiled: Strayed},
	Stuck:     {Written: Stuck, Enqueued: Pending, Cancelled: Dirty, Outdated: Stuck, ReplacedOther: Stuck},
	Scratch:   {Written: Scratch, Hidden: Scratch, Shown: Clean, Unlinked: Removed, Vanished: Strayed},
	Removed:   {Written: Removed, Uploaded: Removed, Outdated: Removed, Vanished: Lost},
	Lost:      {Written: Strayed, Uploaded: Lost, Outdated: Lost},
	Strayed:   {Written: Strayed, Uploaded: Lost, Outdated: Strayed, Hidden: Scratch, Failed: Lost},
}

// OnEvent is called for each event, with whether the table has it. Tests set it before they
// start.
var OnEvent func(st State, ev Event, known bool)
