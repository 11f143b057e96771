package service

import (
	"paperfs/remote/rules"
	"paperfs/remote/service/address"
	"paperfs/remote/service/fault"
	"paperfs/remote/service/store"
)

// maxDepth is how many categories may lie below each other, the root apart. Walks keep
// something for each, and the addresses in GetAllPapers grow with the square of it.
const maxDepth = 100

// shallow checks that height more categories may lie below a category. up is that
// category and what is above it. Deeper trees come by imports alone; what has no category
// may go anywhere.
func shallow(up []store.Node, height int) error {
	if height > 0 && len(up)-1+height > maxDepth {
		return fault.Invalid("Categories lie at most %d deep.", maxDepth)
	}
	return nil
}

// mayBeBelow checks that an address below a category is none of the service's own.
func (c *call) mayBeBelow(up []store.Node, urlName string) error {
	if at := address.Path(c.tenant, up) + urlName + "/"; rules.ReservedAddress(at) {
		return fault.Invalid("The service itself uses the addresses below %s.", at)
	}
	return nil
}
