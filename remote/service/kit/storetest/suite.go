// Package storetest has the tests that every implementation of store.Store ([Run]) and of store.Contents
// ([RunContents]) must pass.
package storetest

import (
	"context"
	"testing"

	"github.com/stretchr/testify/require"

	"paperfs/remote/service/store"
)

// Open opens an empty store, which is closed at the end of the test.
type Open func(t *testing.T) store.Store

// Run runs all tests.
func Run(t *testing.T, open Open) {
	for name, test := range map[string]func(*testing.T, Open){
		"WriteIsUndoneOnFailure":           writeIsUndoneOnFailure,
		"ReadersDoNotWait":                 readersDoNotWait,
		"ReadyWaitsForNobody":              readyWaitsForNobody,
		"ReadersAreBounded":                readersAreBounded,
		"FailuresThatCallersTellApart":     failuresThatCallersTellApart,
		"AfterAnErrorATransactionIsLeft":   afterAnErrorATransactionIsLeft,
		"WalkIsTheTree":                    walkIsTheTree,
		"AHeightCountsCategories":          aHeightCountsCategories,
		"WalkFilledTellsOfPages":           walkFilledTellsOfPages,
		"WalkFilledGoesOn":                 walkFilledGoesOn,
		"WalkLeaves":                       walkLeaves,
		"WalkThroughADeepTree":             walkThroughADeepTree,
		"TimeIsShared":                     timeIsShared,
		"AnotherTenantGoesBetween":         anotherTenantGoesBetween,
		"TenantsTakeTurns":                 tenantsTakeTurns,
		"ALeaseIsAnOwners":                 aLeaseIsAnOwners,
		"ALedgerLeavesWhatIsKept":          aLedgerLeavesWhatIsKept,
		"LeftoversComeInParts":             leftoversComeInParts,
		"ASearchHasTheHitsOfItsTree":       aSearchHasTheHitsOfItsTree,
		"AnOrderIsAddedOnce":               anOrderIsAddedOnce,
		"HitsAreAdded":                     hitsAreAdded,
		"HitsHaveTheirPages":               hitsHaveTheirPages,
		"CoversAreOfFirstPages":            coversAreOfFirstPages,
		"AnOrderThatIsPutAgainKeepsItsKey": anOrderThatIsPutAgainKeepsItsKey,
		"NothingToClaimWaitsForNoChange":   nothingToClaimWaitsForNoChange,
		"ValuesComeInTheOrderOfPapers":     valuesComeInTheOrderOfPapers,
		"MediaHaveVersions":                mediaHaveVersions,
		"FilesEnd":                         filesEnd,
		"ContentIsKept":                    contentIsKept,
		"MarksAreOfOneLog":                 marksAreOfOneLog,
		"AMarkIsMovedFromWhereItIs":        aMarkIsMovedFromWhereItIs,
		"LinkedPapersHaveOtherEditions":    linkedPapersHaveOtherEditions,
		"WhatIsNotPublicIsTold":            whatIsNotPublicIsTold,
		"DamagedContentIsNotServed":        damagedContentIsNotServed,
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			test(t, open)
		})
	}
}

func addTenant(name string) func(store.Writer) error {
	return func(tx store.Writer) error {
		_, err := tx.AddTenant(store.Tenant{Name: name, RootURL: "/"})
		return err
	}
}

func tenants(t *testing.T, s store.Store) (names []string) {
	require.NoError(t, s.Read(context.Background(), func(tx store.Reader) error {
		all, err := tx.Tenants()
		for _, k := range all {
			names = append(names, k.Name)
		}
		return err
	}))
	return names
}
