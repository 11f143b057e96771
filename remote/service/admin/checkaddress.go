package admin

import (
	"fmt"

	"paperfs/remote/service/address"
	"paperfs/remote/service/store"
)

// pagePath is the address of the publisher's page. A category that had it before there was the page is not found there.
const pagePath = "/manage/"

// covered returns a sentence for each category that the page covers.
func covered(tx store.Reader) (sentences []string, err error) {
	tenants, err := tx.Tenants()
	if err != nil {
		return nil, err
	}
	for _, t := range tenants {
		n, err := address.FindNode(tx, t, pagePath)
		switch {
		case err == nil && n.ID != t.Root:
			sentences = append(sentences, fmt.Sprintf("tenant %s: %d %q has the address %s, at which the service shows the publisher's page, so readers do not find it: give it another address with ChangePaperUrl", t.Name, n.ID, n.Name, pagePath))
		case err != nil && !store.IsNotFound(err):
			return nil, err
		}
	}
	return sentences, nil
}
