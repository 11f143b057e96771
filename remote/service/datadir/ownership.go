package datadir

import (
	"context"
	"fmt"
	"path/filepath"

	"paperfs/remote/service/filestore"
	"paperfs/remote/service/sqlitestore"
	"paperfs/remote/service/store"
)

// ForeignDataError reports a data directory whose content and database do not belong together.
// Nothing in it was changed.
type ForeignDataError struct {
	Why    string // what is wrong: a sentence without a full stop
	Advice string // what to do: sentences
	Away   bool   // the only fault is that content/ is missing or empty
}

func (e *ForeignDataError) Error() string {
	return e.Why + ". Nothing was changed. " + e.Advice
}

// dataIDName is the name of the secret with the id that ties the database to its content.
const dataIDName = "data"

// records classifies the database of a data directory.
type records int

const (
	otherRecords  records = iota // another program's
	noRecords                    // missing or empty
	begunRecords                 // a first start was interrupted before the records got an id
	markedRecords                // a first start was interrupted after that
	quietRecords                 // of a service, with an id; they name no content
	namingRecords                // likewise, but they name content
	allRecords
)

// AllRecords and AllHoldings are the dimensions of the table ownership.
const (
	AllRecords  = int(allRecords)
	AllHoldings = int(allHoldings)
)

// holding classifies what is in content/.
type holding int

const (
	heldNothing holding = iota // it is missing or empty
	heldID                     // the records' id, no content
	heldOtherID                // another id, no content
	heldContent                // content with the records' id
	heldOther                  // content with another id
	heldPlain                  // content without an id
	allHoldings
)

// verdict is the decision about records and content.
type verdict int

const (
	accepted       verdict = iota // they get a common id if they lack one
	noDatabase                    // rejected, like all below
	otherContent                  // the records belong to other content
	lostID                        // content has lost its id, or is not the right content
	contentMissing                // or empty
	notPaperfs                    // not a database of paperfs
	impossible                    // without an id the two have none in common
)

// ownership is the table that Check uses. A first start that was interrupted at any point starts
// over. Records that name content are not served without it: that would give the id to any
// directory at that path, such as an unmounted mount point, and the real content would be
// rejected from then on. If the records name no content, content/ is created again with their id.
var ownership = [allRecords][allHoldings]verdict{
	//              heldNothing heldID    heldOtherID heldContent heldOther   heldPlain
	otherRecords:  {notPaperfs, impossible, notPaperfs, impossible, notPaperfs, notPaperfs},
	noRecords:     {accepted, impossible, noDatabase, impossible, noDatabase, noDatabase},
	begunRecords:  {accepted, impossible, accepted, impossible, noDatabase, noDatabase},
	markedRecords: {accepted, accepted, otherContent, noDatabase, noDatabase, noDatabase},
	quietRecords:  {accepted, accepted, otherContent, accepted, otherContent, lostID},
	namingRecords: {contentMissing, accepted, otherContent, accepted, otherContent, lostID},
}

// Check rejects a database and content that do not belong together, one without the other,
// anything that is neither, and an unfinished copy. It must run before anything is opened,
// because opening creates what is missing; Check itself changes nothing. It reports whether a
// service was set up in the directory.
func Check(ctx context.Context, data string) (setUp bool, err error) {
	if err := checkCopy(data); err != nil {
		return false, err
	}
	return CheckTarget(ctx, data)
}

// CheckTarget is Check for the target directory of a copy.
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
	return have >= quietRecords, refusal(ownership[have][holdingOf(holds, id, p.Secret)], data, p.Secret)
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

// refusal returns the error for a verdict; nil if the verdict accepts.
func refusal(v verdict, data, id string) error {
	database, content := filepath.Join(data, DatabaseFile), filepath.Join(data, ContentDir)
	switch v {
	case noDatabase:
		return &ForeignDataError{
			Why:    fmt.Sprintf("%s has content, but its database is missing or empty", data),
			Advice: fmt.Sprintf("Restore %s together with its content (paperfs admin backup makes such a copy), or move %s away to start without it", database, content),
		}
	case otherContent:
		return &ForeignDataError{
			Why:    fmt.Sprintf("%s has content, but its database belongs to other content", data),
			Advice: fmt.Sprintf("Put %s and the %s that it belongs to together (paperfs admin backup makes such a copy)", database, content),
		}
	case contentMissing:
		return &ForeignDataError{
			Why:    fmt.Sprintf("%s names content, but %s is missing or empty", database, content),
			Advice: fmt.Sprintf("Mount it, or restore it together with its database (paperfs admin backup makes such a copy). If it is lost for good, make a file %s with the line %s, and the service starts without it", filepath.Join(content, "id"), id),
			Away:   true,
		}
	case lostID:
		return &ForeignDataError{
			Why: fmt.Sprintf("%s has content, but %s is missing, which says to which database it belongs", data, filepath.Join(content, "id")),
			Advice: fmt.Sprintf("If this content belongs to %s, make a file %s with the line %s, and the service starts; paperfs admin check then says whether anything is missing. Otherwise put %s and the %s that it belongs to together",
				database, filepath.Join(content, "id"), id, database, content),
		}
	case notPaperfs:
		return &ForeignDataError{
			Why:    fmt.Sprintf("%s is not a database of paperfs", database),
			Advice: fmt.Sprintf("Restore the right one together with %s (paperfs admin backup makes such a copy), or move %s away to start without either", content, data),
		}
	}
	return nil
}

// Refusal returns the message with which a cell of the table rejects, "" if it accepts, and
// whether such data is possible at all. A test goes through the whole table with it.
func Refusal(records, holding int) (words string, possible bool) {
	v := ownership[records][holding]
	if err := refusal(v, "DATA", "ID"); err != nil {
		return err.(*ForeignDataError).Why, true
	}
	return "", v != impossible
}

// OpenContents opens content/. If content and database have no id yet, it gives them a common
// one. Content gets it first: a database with an id accepts only content with the same id.
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
