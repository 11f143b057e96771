package service

import (
	"context"
	"net/http"
	"time"

	"paperfs/remote"
	"paperfs/remote/service/admission"
	"paperfs/remote/service/answer"
	"paperfs/remote/service/form"
)

// handler carries out one operation. When it is called, all checks are done except
// those of the parameters' values. It writes the children of data to x. An error that it
// returns before it writes becomes the answer's code: an *answer.Fault says which. An
// operation that changes something writes after the change is committed.
type handler func(c *call, w *answer.Writer) error

// standingContent looks, before the content of an upload is received, whether ifVersion can hold. If not, only content of so
// many bytes can be what stands already; -1 for none.
type standingContent func(c *call, o condition) (refused error, bytes int64, err error)

// call is one call of an operation, as its handler sees it.
type call struct {
	actor
	service  *parts
	op       *remote.Operation
	handle   handler
	standing standingContent // nil for none
	request  *http.Request
	number   requestNumber
	key      [32]byte // hash of the key that the caller sent
	// readOnly is whether a maintenance window was open when the call came.
	readOnly  bool
	soap      *soapCall // nil for a form
	json      bool      // the answer is JSON
	boundary  string    // of a body of multipart/form-data; "" for a form
	form      *form.Form
	body      *admission.Body // nil for none
	deadlines *admission.Deadlines
	upload    *upload // content of op.Bulk; nil for operations without
	reply     *reply  // where the answer goes
	message   string  // of a successful answer

	pair     remote.Pair // the parameters of the credentials
	admitted *[2]string  // user name and password that are good; nil for none yet
	// unconfirmed is whether only the memory of an earlier call says that they are good.
	unconfirmed bool
	changed     bool // whether it has made a change, or may have

	share  admission.Share // of the memory of strangers
	lifted bool            // whether parameters took some of it
}

// param returns a parameter as it was sent. Its presence was checked before.
func (c *call) param(name string) string {
	value, _ := c.form.Get(name)
	return value
}

// ctx is the context of the request. The reads of a call with good credentials wait with those of its tenant.
func (c *call) ctx() context.Context {
	if c.account.ID == 0 {
		return c.request.Context()
	}
	return inLine(c.request.Context(), c.tenant.ID)
}

// How many long reads run at once. Most calls read for some milliseconds, and these limits leave one of
// store.Readers free for them.
const (
	mostSearches = 4
	mostWalks    = 3
	// mostReaders limits the searches in one paper by its readers, who have no credentials.
	mostReaders = 2
	// longPatience is how long a call waits for its turn.
	longPatience = 10 * time.Second
)

func errRemoved() error {
	return answer.Refuse(remote.LoginSecurityViolation, "This account was removed, or its key was changed, during the call.")
}

// refuseReadOnly refuses a change while the maintenance window is open, and after damage.
func (c *call) refuseReadOnly(open bool) error {
	if open && c.op.Changes {
		return answer.Refuse(remote.ReadOnly, "The service is in a maintenance window: nothing can be changed now.")
	}
	if c.op.Changes && c.service.store.Damaged() != nil {
		return answer.Refuse(remote.ReadOnly, "The service's database is damaged or missing: nothing can be changed until its operator has restored it.")
	}
	return nil
}
