package call

import (
	"context"
	"errors"
	"io"
	"net/http"
	"slices"

	"paperfs/remote"
	"paperfs/remote/service/answer"
	"paperfs/remote/service/store"
)

// respond runs the call's handler, unless the call has failed with err before, and
// writes the result document. It sends nothing before the first buffer is full, so that
// a small answer that fails halfway becomes a clean failure. It breaks off a large one
// in a way that no client can mistake for a complete answer.
func (c *Call) respond(l *RequestLog, err error) {
	r := newReply(c, l)
	cache := &c.Service.Answers
	defer func() {
		cache.Done(r.making, false) // if it failed: a call that waits for it makes it
		r.spool.Discard()
	}()
	r.spool.Room = &c.Service.room
	c.reply = r
	x := c.newWriter(r)
	defer x.Release()
	x.Head = func() { c.writeHead(x, remote.Success, c.Message) }
	l.code = remote.Success
	if err == nil {
		err = c.confirmed(c.handle(c, x))
		if err == nil && r.unchanged == 0 && !r.replayed {
			x.BeginLists()
		}
	}
	switch {
	case r.replayed:
		return
	case err == nil && r.unchanged == http.StatusNotModified:
		l.Header().Del("Content-Type")
		l.WriteHeader(http.StatusNotModified)
		return
	case err == nil && r.unchanged != 0:
		answer.Error(l, r.unchanged, "The tree has not changed.")
		return
	}
	if c.Account.ID == 0 { // it was only remembered, or was none
		l.Header().Del(remote.OffersHeader)
	}
	if err != nil && r.started {
		c.Service.Log.Error("answer broken off", "request", c.number, "operation", c.op.Name, "error", err)
		panic(http.ErrAbortHandler)
	}
	if failure := c.Away(err); failure != nil {
		c.answerAway(l, failure, err)
		return
	}
	if err != nil {
		r.keep = nil
		l.Header().Del("ETag")
		l.code = c.writeFault(x, r, err)
	}
	err = c.deliver(x, r)
	if err != nil {
		c.Service.Log.Debug("answer not delivered", "request", c.number, "operation", c.op.Name, "error", err)
	}
}

// deliver ends an answer, and sends what is not sent yet.
func (c *Call) deliver(w *answer.Writer, r *reply) error {
	c.writeTail(w)
	if err := errors.Join(w.Flush(), r.close()); err != nil {
		return err
	}
	cache := &c.Service.Answers
	kept := r.cacheIn(cache)
	if kept != nil {
		defer cache.Release(kept)
	}
	cache.Done(r.making, kept == nil)
	r.making = nil
	return r.spool.Finish()
}

func (c *Call) newWriter(r *reply) *answer.Writer {
	if c.JSON {
		return answer.NewJSON(r, answer.ShapeOf(c.op))
	}
	return answer.NewWriter(r, c.Service.Options.CDATA)
}

func (c *Call) writeHead(w *answer.Writer, code remote.Code, message string) {
	if c.JSON {
		w.Text("code", string(code))
		w.Text("message", message)
		return
	}
	if c.SOAP != nil && !c.reply.escape { // inside the SOAP document, and in no namespace
		w.Raw(`<result xmlns="">`)
	} else {
		w.Raw(declaration + "<result>")
	}
	w.Scalar("code", string(code))
	if message == "" {
		w.Raw("\n<message></message>")
	} else {
		w.Text("message", message)
	}
}

// Fault returns the failure for the caller. The log has what it leaves out, unless the call failed because its caller left.
func (c *Call) Fault(err error) *answer.Fault {
	if plain := (*answer.Fault)(nil); !errors.As(err, &plain) && (c.Context().Err() == nil || !errors.Is(err, context.Canceled)) {
		c.Service.Log.Error("operation failed", "request", c.number, "operation", c.op.Name, "error", err)
	}
	return answer.FaultOf(err, c.number)
}

// writeFault replaces the document, of which nothing was sent yet, with a failure.
func (c *Call) writeFault(w *answer.Writer, r *reply, err error) remote.Code {
	f := c.Fault(err)
	code := f.Code
	if c.Service.Options.StrictCodes && !slices.Contains(c.op.Codes, code) {
		code = remote.Failure
	}
	w.Reset(r)
	w.Head = func() { c.writeHead(w, code, f.Message) }
	if f.Data != nil {
		f.Data(w)
	}
	return code
}

func (c *Call) writeTail(w *answer.Writer) {
	if w.Begun() {
		w.Close("data")
	}
	if c.JSON {
		w.EndJSON()
		return
	}
	w.Raw("\n</result>\n")
}

func newReply(c *Call, w http.ResponseWriter) *reply {
	r := &reply{w: w, spool: answer.NewSpool(w, c.Service.Options.Data, c.Service.SpoolFrom)}
	r.escape = c.op.Wrapped && !c.Service.Options.RawTree && !c.JSON
	h := w.Header()
	h.Set("Content-Type", "text/xml; charset=utf-8")
	if c.JSON {
		h.Set("Content-Type", answer.JSONType)
	} else if c.SOAP != nil {
		h.Set("Content-Type", contentType(c.SOAP.Version))
		r.before, r.after = c.SOAP.around(c.Service.Options.XMLNamespace(), c.op.Name)
	} else if r.escape {
		r.before = declaration + `<string xmlns="` + string(answer.AppendAttr(nil, []byte(c.Service.Options.XMLNamespace()))) + `">`
		r.after = "</string>\n"
	}
	h.Set("Cache-Control", "private, max-age=0")
	if c.signedIn != nil {
		h.Set("Cache-Control", "no-store")
	}
	h.Add("Vary", "Accept-Encoding")
	r.accepts = answer.AcceptsGzip(c.Request)
	return r
}

// Away returns the answer to a call that failed because an engine could not be reached, or
// because other requests left no room for too long; nil for other failures. The answer has no
// envelope: clients recognize it as a temporary failure. It is 503 only if the call changed
// nothing, so that a balancer may send the call to another node.
func (c *Call) Away(err error) *answer.Failure {
	if !errors.Is(err, store.ErrAway) && !errors.Is(err, store.ErrSlow) {
		return nil
	}
	f := &answer.Failure{Status: http.StatusServiceUnavailable, Line: "The service cannot do this at the moment; try again later.", Header: http.Header{"Retry-After": {answer.RetryAfter}}}
	if c.changed {
		f.Status, f.Line = http.StatusGatewayTimeout, "The service could not complete this, and may have changed something; look before you try again."
	}
	return f
}

// answerAway answers with a failure outside the envelope, as SOAP to a SOAP call.
func (c *Call) answerAway(l *RequestLog, failure *answer.Failure, err error) {
	c.Service.Log.Error("operation failed", "request", c.number, "operation", c.op.Name, "error", err)
	l.code = ""
	l.Header().Del("ETag")
	if c.SOAP != nil {
		c.Service.SOAPFailure(l, c.SOAP.Version, failure)
		return
	}
	failure.Answer(l)
}

// tellPlain carries out an operation that changes something, unless the call has failed with err before, and tells its outcome
// without a document.
func (c *Call) tellPlain(l *RequestLog, err error) {
	if err == nil {
		w := answer.NewWriter(io.Discard, answer.None)
		defer w.Release()
		err = c.handle(c, w)
	}
	code, message := remote.Success, c.Message
	if failure, is := errors.AsType[*answer.Failure](err); is {
		code, message = remote.Failure, failure.Line
	} else if away := c.Away(err); away != nil {
		code, message = remote.Failure, away.Line
	} else if err != nil {
		f := c.Fault(err)
		code, message = f.Code, f.Message
	}
	l.code = code
	c.Plain(code, message, c.Param(BackField))
}
