package media

import (
	"errors"

	"paperfs/remote"
)

// This file is about versions that the service itself compares (contract, 4.10): where it does, the
// mount need not look at the tree before a change. Where the tree tells no version, it looks.

// judged returns the version that a change may require, or 0 if the service does not compare it.
func (s *Store) judged(mark remote.Version) remote.Version {
	if offers, _ := s.o.Service.Offers(); !offers.Versions {
		return 0
	}
	return mark
}

// checkJudged reports, once, a service that offers versions but has not compared one: an older node of
// it may have overwritten or deleted a version of others.
func (s *Store) checkJudged(op *remote.Operation, under *remote.Condition) {
	if under.If != 0 && !under.Judged {
		s.unjudged.Do(func() { s.o.Report("refresh", "", 0, errUnjudged(op.Name)) })
	}
}

type errUnjudged string

func (op errUnjudged) Error() string {
	return "the service offers versions, but did not compare the one that " + string(op) + " required: while an older node of it serves, changes of others may be replaced or deleted unseen"
}

// isConflict reports whether the service refused a change because the thing has another version.
func isConflict(err error) bool {
	e, ok := errors.AsType[*remote.Error](err)
	return ok && e.Code == remote.VersionConflict
}
