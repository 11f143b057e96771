package service

import (
	"strings"

	"paperfs/remote"
)

// call begins a call of an operation.
func (s *Service) call(op *remote.Operation, l *requestLog) *call {
	return &call{actor: s.actor(), service: &s.parts, op: op, handle: handlers[op], standing: standing[op], request: l.request, number: l.number}
}

// findGroup returns the table's spelling of the group in a segment Group.asmx.
func findGroup(segment string) (string, bool) {
	for _, op := range remote.Operations {
		if strings.EqualFold(segment, op.Group+".asmx") {
			return op.Group, true
		}
	}
	return "", false
}

// operation finds an operation that this service offers; nil for none. It compares the
// name exactly, as the platform does.
func (s *Service) operation(group, name string) *remote.Operation {
	for _, op := range remote.Operations {
		if op.Group == group && op.Name == name && s.offers(op) {
			return op
		}
	}
	return nil
}

// offers reports whether the service answers the operation.
func (s *Service) offers(op *remote.Operation) bool {
	return op.Served && handlers[op] != nil && !(op.Extended && s.options.NoExtended)
}

// offered returns the operations of a group, "" for all, as this service offers them.
func (s *Service) offered(group string) (ops []*remote.Operation) {
	for _, op := range remote.Operations {
		if (group == "" || op.Group == group) && s.offers(op) {
			ops = append(ops, s.documented(op))
		}
	}
	return ops
}
