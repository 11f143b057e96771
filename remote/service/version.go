package service

import "paperfs/remote/service/answer"

// preferVersions is the preference of a client that knows versions (contract, 4.10). To others, the
// answers of the operations that other services have show none: nothing of theirs changes.
const preferVersions = "paperfs-version"

func (c *call) prefersVersions() bool {
	_, prefers := answer.Preference(c.request.Header.Values("Prefer"), preferVersions)
	return prefers && !c.service.options.NoExtended
}
