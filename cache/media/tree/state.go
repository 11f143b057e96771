package tree

// State is how it stands with the newest content of a node. Package
// documentation has the table. Directories and what only scratch can be have no
// content: of them it tells whether they are queued, stay here, or are removed.
type State uint8

const (
	Clean     State = iota // nothing is here that the service has not got
	Dirty                  // written here, and not queued
	Pending                // closed, and queued to be sent
	Rewritten              // the same, and written again since
	Stuck                  // in the queue for what this machine could not do at the last close
	Scratch                // stays on this machine
	Removed                // it has lost its last name
	Lost                   // others have deleted it at the service while it was open here
	Strayed                // the same, and it was written since, or before
)

// String is the state's name in the table.
func (st State) String() string {
	return [...]string{"clean", "dirty", "pending", "rewritten", "stuck", "scratch", "removed", "lost", "strayed"}[st]
}

// Event is what happens to a node.
type Event uint8

const (
	Written       Event = iota // something was written to it
	Enqueued                   // its content, or a directory, was queued
	Waited                     // what its last close asks for could not be done
	Cancelled                  // it has left the queue
	Uploaded                   // the service has what is here
	Outdated                   // the service has what was here before the last write
	Reverted                   // what the service has is shown again
	Restored                   // what is queued is shown again
	ReplacedOther              // it has taken the name of a published file
	Hidden                     // it becomes scratch
	Shown                      // it ceases to be scratch
	Unlinked                   // its last name is gone
	Vanished                   // others have deleted it at the service
	Salvaged                   // what was written to it is in failed/
)

// Transitions is the table: what is not in it does not happen.
var Transitions = map[State]map[Event]State{
	Clean:     {Written: Dirty, Enqueued: Pending, Waited: Stuck, Uploaded: Clean, Outdated: Dirty, Reverted: Clean, ReplacedOther: Dirty, Hidden: Scratch, Unlinked: Removed},
	Dirty:     {Written: Dirty, Enqueued: Pending, Waited: Stuck, Uploaded: Clean, Outdated: Dirty, Reverted: Clean, ReplacedOther: Dirty, Hidden: Scratch, Unlinked: Removed, Vanished: Strayed},
	Pending:   {Written: Rewritten, Enqueued: Pending, Cancelled: Dirty, Outdated: Pending, ReplacedOther: Pending},
	Rewritten: {Written: Rewritten, Enqueued: Pending, Cancelled: Dirty, Outdated: Rewritten, Restored: Pending, ReplacedOther: Rewritten},
	Stuck:     {Written: Stuck, Enqueued: Pending, Cancelled: Dirty, Outdated: Stuck, ReplacedOther: Stuck},
	Scratch:   {Written: Scratch, Hidden: Scratch, Shown: Clean, Unlinked: Removed, Vanished: Strayed},
	Removed:   {Written: Removed, Uploaded: Removed, Outdated: Removed, Vanished: Lost},
	Lost:      {Written: Strayed, Uploaded: Lost, Outdated: Lost},
	Strayed:   {Written: Strayed, Uploaded: Lost, Outdated: Strayed, Hidden: Scratch, Salvaged: Lost},
}

// OnEvent is told what happens to nodes, and whether the table has that. Tests set
// it before anything happens.
var OnEvent func(st State, ev Event, known bool)
