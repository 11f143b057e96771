package datadir

import (
	"context"
	"fmt"
	"path/filepath"

	"paperfs/remote/service/filestore"
	"paperfs/remote/service/sqlitestore"
	"paperfs/remote/service/store"
)

// ForeignDataError is the failure to open a data directory whose content and
// database do not belong together: nothing of it was changed.
type ForeignDataError struct {
	Why    string // what is wrong, a sentence without its end
	Advice string // what to do, sentences
	Away   bool   // nothing is wrong but that content/ is missing or empty
}

func (e *ForeignDataError) Error() string {
	return e.Why + ". Nothing was changed. " + e.Advice
}

// dataIDName names the id that the database has in common with the content.
const dataIDName = "data"

// records are what a data directory may have for a database.
type records int

const (
	otherRecords  records = iota // another program's
	noRecords                    // missing or empty
	begunRecords                 // a first start was cut short before they got an id
	markedRecords                // a first start was cut short after that
	olderRecords                 // of an older paperfs: without an id; they name no content
	olderNaming                  // the same; they name content
	quietRecords                 // with an id; they name no content
	namingRecords                // the same; they name content
	allRecords
)

// AllRecords and AllHoldings bound the table of ownership.
const (
	AllRecords  = int(allRecords)
	AllHoldings = int(allHoldings)
)

// holding is what content/ may hold.
type holding int

const (
	heldNothing holding = iota // it is missing or empty
	heldID                     // the id of the records, and no content
	heldOtherID                // another id, and no content
	heldContent                // content, and the id of the records
	heldOther                  // content, and another id
	heldPlain                  // content, and no id
	allHoldings
)

// verdict is what becomes of the two.
type verdict int

const (
	together   verdict = iota // they are given one id, where they have not
	noDatabase                // refused, as all below
	otherwise                 // the records belong to other content
	unnamed                   // content has lost its id, or is other content
	away                      // content is missing
	notOurs                   // no database of paperfs
	never                     // cannot be: a side without an id has none in common
)

// ownership is what Check goes by. A first start that was cut short
// at any point is begun again. Records that name content are not served without
// it: that would attach an id to any directory there, such as a mount point with
// nothing mounted, and the true content would be refused from then on. Where
// they name none, content/ is made again, with the id that they have.
var ownership = [allRecords][allHoldings]verdict{
	//              heldNothing heldID    heldOtherID heldContent heldOther   heldPlain
	otherRecords:  {notOurs, never, notOurs, never, notOurs, notOurs},
	noRecords:     {together, never, noDatabase, never, noDatabase, noDatabase},
	begunRecords:  {together, never, together, never, noDatabase, noDatabase},
	markedRecords: {together, together, otherwise, noDatabase, noDatabase, noDatabase},
	olderRecords:  {together, never, together, never, together, together},
	olderNaming:   {away, never, away, never, together, together},
	quietRecords:  {together, together, otherwise, together, otherwise, unnamed},
	namingRecords: {away, together, otherwise, together, otherwise, unnamed},
}

// Check refuses a database and content that do not belong together, or one of them
// without the other, or what is neither, or a copy that was cut short. It comes before
// anything is opened, which would make what is missing; it changes nothing. It reports
// whether a service was set up there.
func Check(ctx context.Context, data string) (setUp bool, err error) {
	if err := checkCopy(data); err != nil {
		return false, err
	}
	return CheckTarget(ctx, data)
}

// CheckTarget is Check for a directory that a copy goes to.
func CheckTarget(ctx context.Context, data string) (setUp bool, err error) {
	if err := checkKinds(data); err != nil {
		return false, err
	}
	p, err := sqlitestore.Inspect(ctx, filepath.Join(data, DatabaseFile), dataIDName)
	if err != nil {
		return false, ExplainDamage(data, err)
	}
	have := recordsOf(p)
	content := filepath.Join(data, ContentDir)
	id, err := filestore.ID(content)
	if err != nil {
		return false, err
	}
	holds, err := filestore.Holds(content)
	if err != nil {
		return false, err
	}
	return have >= olderRecords, refusal(ownership[have][holdingOf(holds, id, p.Secret)], data, p.Secret)
}

func recordsOf(p sqlitestore.Inspection) records {
	switch {
	case p.Other:
		return otherRecords
	case p.Version == 0:
		return noRecords
	case !p.SetUp && p.Secret == "":
		return begunRecords
	case !p.SetUp:
		return markedRecords
	case p.Secret == "" && !p.Names:
		return olderRecords
	case p.Secret == "":
		return olderNaming
	case !p.Names:
		return quietRecords
	}
	return namingRecords
}

func holdingOf(content bool, id, ofRecords string) holding {
	switch {
	case id == "" && content:
		return heldPlain
	case id == "":
		return heldNothing
	case id == ofRecords && content:
		return heldContent
	case id == ofRecords:
		return heldID
	case content:
		return heldOther
	}
	return heldOtherID
}

// refusal says a verdict in words; nil for one that is none.
func refusal(v verdict, data, id string) error {
	database, content := filepath.Join(data, DatabaseFile), filepath.Join(data, ContentDir)
	switch v {
	case noDatabase:
		return &ForeignDataError{
			Why:    fmt.Sprintf("%s has content, but its database is missing or empty", data),
			Advice: fmt.Sprintf("Restore %s together with its content (paperfs admin backup makes such a copy), or move %s away to begin without it", database, content),
		}
	case otherwise:
		return &ForeignDataError{
			Why:    fmt.Sprintf("%s has content, but its database belongs to other content", data),
			Advice: fmt.Sprintf("Put %s and the %s that it belongs to together (paperfs admin backup makes such a copy)", database, content),
		}
	case away:
		why := &ForeignDataError{
			Why:    fmt.Sprintf("%s names content, but %s is missing or empty", database, content),
			Advice: "Mount it, or restore it together with its database (paperfs admin backup makes such a copy)",
			Away:   true,
		}
		if id != "" {
			why.Advice += fmt.Sprintf(". If it is lost for good, make a file %s with the line %s, and the service goes on without it", filepath.Join(content, "id"), id)
		}
		return why
	case unnamed:
		return &ForeignDataError{
			Why: fmt.Sprintf("%s has content, but %s is missing, which says to which database it belongs", data, filepath.Join(content, "id")),
			Advice: fmt.Sprintf("If this content belongs to %s, make a file %s with the line %s, and the service goes on; paperfs admin check then says whether anything is missing. Otherwise put %s and the %s that it belongs to together",
				database, filepath.Join(content, "id"), id, database, content),
		}
	case notOurs:
		return &ForeignDataError{
			Why:    fmt.Sprintf("%s is not a database of paperfs", database),
			Advice: fmt.Sprintf("Restore the right one together with %s (paperfs admin backup makes such a copy), or move %s away to begin without either", content, data),
		}
	}
	return nil
}

// Refusal returns the words with which a cell of the table of ownership refuses,
// "" where it does not, and whether there can be such data at all. A test drives
// the whole table by it.
func Refusal(records, holding int) (words string, possible bool) {
	v := ownership[records][holding]
	if err := refusal(v, "DATA", "ID"); err != nil {
		return err.(*ForeignDataError).Why, true
	}
	return "", v != never
}

// OpenContents opens content/. If it and the database have no id yet, they get a
// common one. Content gets it first: a database that has one is held to it.
func OpenContents(ctx context.Context, data string, records store.Store) (*filestore.Store, error) {
	content := filepath.Join(data, ContentDir)
	files, err := filestore.Open(content)
	if err != nil {
		return nil, err
	}
	id, err := filestore.ID(content)
	if err != nil {
		return nil, err
	}
	var known []byte
	err = records.Read(ctx, func(tx store.Reader) (err error) {
		known, err = tx.Secret(dataIDName)
		return store.IgnoreNotFound(err)
	})
	if err != nil || id != "" && string(known) == id {
		return files, err
	}
	if id == "" {
		if id = string(known); id == "" {
			id = filestore.NewID()
		}
		if err := files.SetID(id); err != nil {
			return nil, err
		}
	}
	return files, records.Write(ctx, store.AllTenants, func(tx store.Writer) error { return tx.SetSecret(dataIDName, []byte(id)) })
}
