package call

import (
	"context"
	"net/http"

	"paperfs/remote"
	"paperfs/remote/service/admission"
	"paperfs/remote/service/answer"
	"paperfs/remote/service/form"
)

// Handler carries out one operation. When it is called, all checks are done except
// those of the parameters' values. It writes the children of data to x. An error that it
// returns before it writes becomes the answer's code: an *answer.Fault says which. An
// operation that changes something writes after the change is committed.
type Handler func(c *Call, w *answer.Writer) error

// StandingContent looks, before the content of an upload is received, whether ifVersion can hold. If not, only content of so
// many bytes can be what stands already; -1 for none.
type StandingContent func(c *Call, o Condition) (refused error, bytes int64, err error)

// Call is one call of an operation, as its handler sees it.
type Call struct {
	Actor
	Service  *Service
	op       *remote.Operation
	handle   Handler
	standing StandingContent // nil for none
	Request  *http.Request
	number   requestNumber
	key      [32]byte // hash of the key that the caller sent
	// readOnly is whether a maintenance window was open when the call came.
	readOnly  bool
	SOAP      *SOAPCall // nil for a form
	JSON      bool      // the answer is JSON
	boundary  string    // of a body of multipart/form-data; "" for a form
	Form      *form.Form
	body      *admission.Body // nil for none
	deadlines *admission.Deadlines
	Upload    *Upload // content of op.Bulk; nil for operations without
	reply     *reply  // where the answer goes
	Message   string  // of a successful answer

	// Plain is told the outcome in place of a document, and where the form wants to go; nil for the document.
	Plain    func(code remote.Code, message, back string)
	signedIn *SignedIn   // in place of a name and a key; nil for those
	pair     remote.Pair // the parameters of the credentials
	admitted *[2]string  // user name and password that are good; nil for none yet
	// unconfirmed is whether only the memory of an earlier call says that they are good.
	unconfirmed bool
	changed     bool // whether it has made a change, or may have

	share  admission.Share // of the memory of strangers
	lifted bool            // whether parameters took some of it
}

// Begin begins a call of an operation.
func (s *Service) Begin(l *RequestLog, op *remote.Operation, handle Handler, standing StandingContent) *Call {
	return &Call{Actor: s.actor(), Service: s, op: op, handle: handle, standing: standing, Request: l.Request, number: l.Number}
}

// Param returns a parameter as it was sent. Its presence was checked before.
func (c *Call) Param(name string) string {
	value, _ := c.Form.Get(name)
	return value
}

// Context is the context of the request. The reads of a call with good credentials wait with those of its tenant. A change does
// not end with it: a client that has sent all of one may have closed that half of the connection, and wait for the answer.
func (c *Call) Context() context.Context {
	ctx := c.Request.Context()
	if c.op.Changes {
		ctx = context.WithoutCancel(ctx)
	}
	if c.Account.ID == 0 {
		return ctx
	}
	return inLine(ctx, c.Tenant.ID)
}

// Changes reports whether the operation changes something.
func (c *Call) Changes() bool { return c.op.Changes }

func errRemoved() error {
	return answer.Refuse(remote.LoginSecurityViolation, "This account was removed, or its key was changed, during the call.")
}

// refuseReadOnly refuses a change while the maintenance window is open, and after damage.
func (c *Call) refuseReadOnly(open bool) error {
	if open && c.op.Changes {
		return answer.Refuse(remote.ReadOnly, "The service is in a maintenance window: nothing can be changed now.")
	}
	if c.op.Changes && c.Service.Store.Damaged() != nil {
		return answer.Refuse(remote.ReadOnly, "The service's database is damaged or missing: nothing can be changed until its operator has restored it.")
	}
	return nil
}
