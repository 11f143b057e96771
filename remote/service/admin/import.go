package admin

import (
	"cmp"
	"errors"
	"io"
	"slices"
	"strings"

	"paperfs/remote"
	"paperfs/remote/rules"
	"paperfs/remote/service/answer"
	"paperfs/remote/service/importfile"
	"paperfs/remote/service/property"
	"paperfs/remote/service/store"
)

// Import fills a tenant from the file that package importfile describes. It is one change: if
// anything in the file is wrong, nothing takes effect, and the error names the line.
func (m *Admin) Import(r io.Reader, tenant string) (Report, error) {
	// The file is read before the change begins, because the change blocks all others.
	file, err := importfile.Parse(r)
	if err != nil {
		return Report{}, err
	}
	var i *importer
	err = m.writeTenant(tenant, func(tx store.Writer, t store.Tenant) error {
		i = &importer{tx: tx, tenant: t}
		return i.file(file)
	})
	if err != nil {
		return Report{}, err
	}
	return i.report, nil
}

func (i *importer) file(f *importfile.File) error {
	for _, field := range f.Fields {
		if err := i.defineField(field); err != nil {
			return err
		}
	}
	// Categories come first, parents before children: otherwise a category could be created,
	// without its name, for the address of a paper in it.
	nodes := slices.Clone(f.Nodes)
	slices.SortStableFunc(nodes, func(a, b importfile.Node) int {
		return cmp.Or(cmp.Compare(a.Kind, b.Kind), cmp.Compare(strings.Count(a.URL, "/"), strings.Count(b.URL, "/")))
	})
	for _, n := range nodes {
		if err := i.node(n); err != nil {
			return err
		}
	}
	return nil
}

func (i *importer) defineField(f importfile.Field) error {
	if err := property.CheckField(f.Field); err != nil {
		return atLine(f.Line, err)
	}
	old, err := i.tx.Field(i.tenant.ID, f.Name)
	switch {
	case store.IsNotFound(err):
		i.report.Fields++
		_, err = i.tx.AddField(i.tenant.ID, f.Field)
		return err
	case err == nil && old.Type != f.Type:
		return importfile.Errorf(f.Line, "the field %s exists with the type %s, not %s", old.Name, old.Type, f.Type)
	}
	return err
}

// atLine adds the line of the file to a fault of the service's rules.
func atLine(line int, err error) error {
	var f *answer.Fault
	if errors.As(err, &f) {
		return importfile.Errorf(line, "%s", f.Message)
	}
	return err
}

func (i *importer) node(n importfile.Node) error {
	at, err := i.place(n)
	if err != nil {
		return err
	}
	for _, s := range n.Settings {
		if err := i.set(at.ID, s); err != nil {
			return err
		}
	}
	if n.Kind != remote.PaperNode {
		return nil
	}
	if !n.Period.IsZero() {
		i.report.Periods++
		at.Period = n.Period
		if _, err := i.tx.SetNode(at); err != nil {
			return err
		}
	}
	if n.Processing != nil {
		if err := i.tx.SetProcessing(at.ID, *n.Processing); err != nil {
			return err
		}
	}
	if n.Pages != nil {
		i.report.Pages += len(n.Pages)
		if err := i.tx.ReplacePages(at.ID, n.Pages); err != nil {
			return err
		}
	}
	if n.Links != nil {
		i.report.Links += len(n.Links)
		if err := i.tx.ReplaceLinks(at.ID, n.Links); err != nil {
			return err
		}
	}
	return i.attach(at.ID, n)
}

// attach writes the items that replace existing ones individually.
func (i *importer) attach(paper int64, n importfile.Node) error {
	for _, v := range n.Fields {
		if err := i.setField(paper, v); err != nil {
			return err
		}
	}
	for _, o := range n.Orders {
		if !slices.Contains(rules.CheckoutTypes, o.CheckoutType) {
			return importfile.Errorf(o.Line, "checkoutType %q has to be one of %s", o.CheckoutType, strings.Join(rules.CheckoutTypes, ", "))
		}
		i.report.Orders++
		o.Paper = paper
		err := i.tx.PutOrder(i.tenant.ID, o.Order)
		if errors.Is(err, store.ErrTaken) {
			return importfile.Errorf(o.Line, "the order %s belongs to another paper", o.ID)
		}
		if err != nil {
			return err
		}
	}
	for _, j := range n.Jobs {
		i.report.Jobs++
		j.Tenant, j.Paper = i.tenant.ID, paper
		err := i.tx.PutJob(j.Job)
		if errors.Is(err, store.ErrTaken) {
			return importfile.Errorf(j.Line, "the job %s belongs to another tenant, or another job of this paper is pending", j.GUID)
		}
		if err != nil {
			return err
		}
	}
	return nil
}

func (i *importer) set(node int64, v importfile.Value) error {
	s, ok := property.FindSetting(v.Name)
	if !ok {
		return importfile.Errorf(v.Line, "there is no setting %s", v.Name)
	}
	text, ok := s.Accepts(v.Value)
	if !ok {
		return importfile.Errorf(v.Line, "%q does not fit the setting %s, which has to be %s", v.Value, s.Name, s.Form())
	}
	i.report.Settings++
	return i.tx.SetSetting(node, s.Name, text)
}

func (i *importer) setField(paper int64, v importfile.Value) error {
	f, err := i.tx.Field(i.tenant.ID, v.Name)
	if store.IsNotFound(err) {
		return importfile.Errorf(v.Line, "there is no custom field %s; define it in the element fields", v.Name)
	}
	if err != nil {
		return err
	}
	i.report.FieldValues++
	if v.Null {
		return i.tx.ClearFieldValue(paper, f.ID)
	}
	return atLine(v.Line, property.SetField(i.tx, paper, f, v.Value))
}
