package service

import (
	"time"

	"paperfs/remote/service/store"
)

// actor is who changes things of a tenant: the account of a call, or the operator.
type actor struct {
	tenant   store.Tenant
	account  store.Account
	now      func() time.Time
	pdfQueue int // PDFs of the tenant in the queue; 0 = no limit
	pdfPages int // pages that a PDF may have
}

func (s *Service) actor() actor {
	return actor{now: s.now, pdfQueue: s.options.PDFQueue, pdfPages: s.options.PDFLimits.WithDefaults().Pages}
}
