package media

// fileState is how it stands with the newest content of a node. Package
// documentation has the table. Directories and what only scratch can be have no
// content: of them it tells whether they are queued, stay here, or are removed.
type fileState uint8

const (
	clean     fileState = iota // nothing is here that the service has not got
	dirty                      // written here, and not queued
	pending                    // closed, and queued to be sent
	rewritten                  // the same, and written again since
	stuck                      // in the queue for what this machine could not do at the last close
	scratch                    // stays on this machine
	removed                    // it has lost its last name
	lost                       // others have deleted it at the service while it was open here
	strayed                    // the same, and it was written since, or before
)

// String is the state's name in the table.
func (st fileState) String() string {
	return [...]string{"clean", "dirty", "pending", "rewritten", "stuck", "scratch", "removed", "lost", "strayed"}[st]
}

// event is what happens to a node.
type event uint8

const (
	written       event = iota // something was written to it
	enqueued                   // its content, or a directory, was queued
	waited                     // what its last close asks for could not be done
	cancelled                  // it has left the queue
	uploaded                   // the service has what is here
	outdated                   // the service has what was here before the last write
	reverted                   // what the service has is shown again
	restored                   // what is queued is shown again
	replacedOther              // it has taken the name of a published file
	hidden                     // it becomes scratch
	shown                      // it ceases to be scratch
	unlinked                   // its last name is gone
	vanished                   // others have deleted it at the service
	kept                       // what was written to it is in failed/
)

// transitions is the table: what is not in it does not happen.
var transitions = map[fileState]map[event]fileState{
	clean:     {written: dirty, enqueued: pending, waited: stuck, uploaded: clean, outdated: dirty, reverted: clean, replacedOther: dirty, hidden: scratch, unlinked: removed},
	dirty:     {written: dirty, enqueued: pending, waited: stuck, uploaded: clean, outdated: dirty, reverted: clean, replacedOther: dirty, hidden: scratch, unlinked: removed, vanished: strayed},
	pending:   {written: rewritten, enqueued: pending, cancelled: dirty, outdated: pending, replacedOther: pending},
	rewritten: {written: rewritten, enqueued: pending, cancelled: dirty, outdated: rewritten, restored: pending, replacedOther: rewritten},
	stuck:     {written: stuck, enqueued: pending, cancelled: dirty, outdated: stuck, replacedOther: stuck},
	scratch:   {written: scratch, hidden: scratch, shown: clean, unlinked: removed},
	removed:   {written: removed, uploaded: removed, outdated: removed, vanished: lost},
	lost:      {written: strayed, uploaded: lost, outdated: lost},
	strayed:   {written: strayed, uploaded: lost, outdated: strayed, kept: lost},
}

// onEvent is told what happens to nodes, and whether the table has that. Tests set
// it before anything happens.
var onEvent func(st fileState, ev event, known bool)
