package outbox

// State is the state of a key.
type State int

// The states of the table in the package documentation.
const (
	Waiting State = iota
	Ready
	Paused
	Sending
	Stopping
	Stopped
)

// String returns the state's name in the table.
func (s State) String() string {
	return [...]string{"waiting", "ready", "paused", "sending", "stopping", "stopped"}[s]
}

// Active reports whether a Send is in progress.
func (s State) Active() bool { return s == Sending || s == Stopping }

// Cancelled reports whether the key was cancelled.
func (s State) Cancelled() bool { return s == Stopping || s == Stopped }

// event is something that happens to a key.
type event int

const (
	offer event = iota
	turn
	begin
	over
	retry
	postpone
	cancel
	resume
	again
	later
	refused
)

// next is the table. A missing event changes nothing.
var next = map[State]map[event]State{
	Waiting:  {offer: Ready, begin: Sending, retry: Ready, postpone: Paused, cancel: Stopped},
	Ready:    {turn: Waiting, begin: Sending, postpone: Paused, cancel: Stopped},
	Paused:   {over: Ready, retry: Ready, postpone: Paused, cancel: Stopped},
	Sending:  {cancel: Stopping, again: Waiting, later: Paused, refused: Stopped},
	Stopping: {resume: Sending, again: Stopped, later: Stopped, refused: Stopped},
	Stopped:  {resume: Waiting},
}
