package importfile

import (
	"paperfs/remote"
	"paperfs/remote/rules"
	"paperfs/remote/service/store"
)

func readPeriod(n *Node, e *paper) error {
	if e.From == "" && e.To == "" {
		return nil
	}
	from, ok := rules.Time(e.From)
	to, alsoOK := rules.Time(e.To)
	if !ok || !alsoOK || !from.Before(to) {
		return Errorf(n.Line, "publicationperiod-from %q and publicationperiod-to %q have to be times like 2031-03-01 06:00:00, the first before the second", e.From, e.To)
	}
	n.Period = remote.Period{From: from, To: to}
	return nil
}

func readProcessing(n *Node, e *paper) error {
	if e.LastProcessed == "" && e.PDFFileSize == "" {
		return nil
	}
	t, ok := rules.Time(e.LastProcessed)
	if !ok {
		return Errorf(n.Line, "lastprocessed %q has to be a time like 2031-03-01 06:00:00", e.LastProcessed)
	}
	kb, ok := whole(e.PDFFileSize)
	if !ok {
		return Errorf(n.Line, "pdffilesize %q has to be a number of KB", e.PDFFileSize)
	}
	n.Processing = &store.Processing{At: t, PDFKB: kb}
	return nil
}

func readFields(n *Node, e *paper) error {
	for _, fields := range e.Fields {
		for _, f := range fields.v.Fields {
			null, ok := rules.Bool(f.v.Null, false)
			if !ok {
				return Errorf(f.line, "null %q has to be true or false", f.v.Null)
			}
			n.Fields = append(n.Fields, Value{Line: f.line, Name: f.v.Name, Value: f.v.Value, Null: null})
		}
	}
	return nil
}

// whole parses a non-negative integer; an empty text is 0.
func whole(s string) (int64, bool) {
	if rules.Trim(s) == "" {
		return 0, true
	}
	return rules.IDOrZero(s)
}
