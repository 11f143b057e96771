package service

import (
	"context"
	"errors"
	"net/http"
	"slices"

	"paperfs/remote"
	"paperfs/remote/service/answer"
)

// respond runs the call's handler, unless the call has failed with err before, and
// writes the result document. It sends nothing before the first buffer is full, so that
// a small answer that fails halfway becomes a clean failure. It breaks off a large one
// in a way that no client can mistake for a complete answer.
func (c *call) respond(l *requestLog, err error) {
	r := newReply(c, l)
	cache := &c.service.answers
	defer func() {
		cache.Done(r.making, false) // if it failed: a call that waits for it makes it
		r.spool.Discard()
	}()
	r.spool.Room = &c.service.room
	c.reply = r
	x := c.newWriter(r)
	defer x.Release()
	x.Head = func() { c.writeHead(x, remote.Success, c.message) }
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
	if c.account.ID == 0 { // it was only remembered, or was none
		l.Header().Del(remote.OffersHeader)
	}
	if err != nil && r.started {
		c.service.log.Error("answer broken off", "request", c.number, "operation", c.op.Name, "error", err)
		panic(http.ErrAbortHandler)
	}
	if failure := c.away(err); failure != nil {
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
		c.service.log.Debug("answer not delivered", "request", c.number, "operation", c.op.Name, "error", err)
	}
}

// deliver ends an answer, and sends what is not sent yet.
func (c *call) deliver(w *answer.Writer, r *reply) error {
	c.writeTail(w)
	if err := errors.Join(w.Flush(), r.close()); err != nil {
		return err
	}
	cache := &c.service.answers
	kept := r.cacheIn(cache)
	if kept != nil {
		defer cache.Release(kept)
	}
	cache.Done(r.making, kept == nil)
	r.making = nil
	return r.spool.Finish()
}

func (c *call) newWriter(r *reply) *answer.Writer {
	if c.json {
		return answer.NewJSON(r, answer.ShapeOf(c.op))
	}
	return answer.NewWriter(r, c.service.options.CDATA)
}

func (c *call) writeHead(w *answer.Writer, code remote.Code, message string) {
	if c.json {
		w.Text("code", string(code))
		w.Text("message", message)
		return
	}
	if c.soap != nil && !c.reply.escape { // inside the SOAP document, and in no namespace
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

// fault returns the failure for the caller. The log has what it leaves out, unless the call failed because its caller left.
func (c *call) fault(err error) *answer.Fault {
	if plain := (*answer.Fault)(nil); !errors.As(err, &plain) && (c.ctx().Err() == nil || !errors.Is(err, context.Canceled)) {
		c.service.log.Error("operation failed", "request", c.number, "operation", c.op.Name, "error", err)
	}
	return answer.FaultOf(err, c.number)
}

// writeFault replaces the document, of which nothing was sent yet, with a failure.
func (c *call) writeFault(w *answer.Writer, r *reply, err error) remote.Code {
	f := c.fault(err)
	code := f.Code
	if c.service.options.StrictCodes && !slices.Contains(c.op.Codes, code) {
		code = remote.Failure
	}
	w.Reset(r)
	w.Head = func() { c.writeHead(w, code, f.Message) }
	if f.Data != nil {
		f.Data(w)
	}
	return code
}

func (c *call) writeTail(w *answer.Writer) {
	if w.Begun() {
		w.Close("data")
	}
	if c.json {
		w.EndJSON()
		return
	}
	w.Raw("\n</result>\n")
}

func newReply(c *call, w http.ResponseWriter) *reply {
	r := &reply{w: w, spool: answer.NewSpool(w, c.service.options.Data, c.service.spoolFrom)}
	r.escape = c.op.Wrapped && !c.service.options.RawTree && !c.json
	h := w.Header()
	h.Set("Content-Type", "text/xml; charset=utf-8")
	if c.json {
		h.Set("Content-Type", answer.JSONType)
	} else if c.soap != nil {
		h.Set("Content-Type", contentType(c.soap.version))
		r.before, r.after = c.soap.around(c.service.options.namespace(), c.op.Name)
	} else if r.escape {
		r.before = declaration + `<string xmlns="` + string(answer.AppendAttr(nil, []byte(c.service.options.namespace()))) + `">`
		r.after = "</string>\n"
	}
	h.Set("Cache-Control", "private, max-age=0")
	h.Add("Vary", "Accept-Encoding")
	r.accepts = answer.AcceptsGzip(c.request)
	return r
}
