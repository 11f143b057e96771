package operation

import (
	"strconv"

	"paperfs/remote/rules"
	"paperfs/remote/service/answer"
	"paperfs/remote/service/call"
	"paperfs/remote/service/store"
)

// mostAddresses is how many addresses are tried for what needs a new one.
const mostAddresses = 1000

// freeAddress returns the last segment of an address in a category: NAME, or NAME-2 and so on, where that
// is taken or the service's own. What has it may be the thing itself: then it is returned, too.
func freeAddress(a *call.Actor, tx store.Reader, up []store.Node, name string, itself func(store.Node) (bool, error)) (try string, has store.Node, err error) {
	try = name
	for number := 2; number < mostAddresses; number++ {
		if mayBeBelow(a, up, try) == nil {
			has, err = tx.Child(up[0].ID, try)
			if store.IsNotFound(err) {
				return try, store.Node{}, nil
			}
			is := false
			if err == nil && itself != nil {
				is, err = itself(has)
			}
			if is || err != nil {
				return try, has, err
			}
		}
		suffix := "-" + strconv.Itoa(number)
		try = name[:min(len(name), rules.MaxSegment-len(suffix))] + suffix
	}
	return "", store.Node{}, answer.Invalid("The address %s and those like it are taken.", name)
}
