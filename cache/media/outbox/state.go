package outbox

// State is how it stands with a key.
type State int

// The states, as the table in the package's documentation has them.
const (
	Waiting State = iota
	Ready
	Paused
	Sending
	Stopping
	Stopped
)

// String is the state's name in the table.
func (s State) String() string {
	return [...]string{"waiting", "ready", "paused", "sending", "stopping", "stopped"}[s]
}

// Active reports whether a Send is under way.
func (s State) Active() bool { return s == Sending || s == Stopping }

// Cancelled reports whether somebody has cancelled it.
func (s State) Cancelled() bool { return s == Stopping || s == Stopped }

// event is what happens to a key.
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

// next is the table: what is not in it changes nothing.
var next = map[State]map[event]State{
	Waiting:  {offer: Ready, begin: Sending, retry: Ready, postpone: Paused, cancel: Stopped},
	Ready:    {turn: Waiting, begin: Sending, postpone: Paused, cancel: Stopped},
	Paused:   {over: Ready, retry: Ready, postpone: Paused, cancel: Stopped},
	Sending:  {cancel: Stopping, again: Waiting, later: Paused, refused: Stopped},
	Stopping: {resume: Sending, again: Stopped, later: Stopped, refused: Stopped},
	Stopped:  {resume: Waiting},
}
