package media

import (
	"time"

	"paperfs/cache/failure"
	"paperfs/remote"
)

// treeStatus is what is known of GetTree.
type treeStatus struct {
	fetched    time.Time // when the last good one was asked for; zero: never
	kept       time.Time // the same as the state has it
	tried      time.Time // when the last one was asked for in this run
	asked      time.Time // when the last good one was asked for in this run
	unanswered bool      // somebody has waited in vain for the one asked for last
	stale      bool      // somebody has reason to think that the service has changed
	notOffered bool
	err        error            // of the last one
	left       int              // names in it that cannot be shown
	odd        []string         // what in it is left out, or shown as well as can be, in words
	hidden     []string         // what in it is not shown here, in words
	toldOdd    failure.Oddities // those of odd that were reported
	toldHidden failure.Oddities // those of hidden

	validator remote.Validator // of the answer that was compared last, if all of it is here
	asOf      uint64           // dirtied, when nothing had changed here since
}
