package service

import (
	"errors"

	"paperfs/remote"
	"paperfs/remote/service/address"
	"paperfs/remote/service/answer"
	"paperfs/remote/service/form"
)

// serveCall carries out the rest of the evaluation order: content type, presence of
// parameters, credentials, READONLY, and then the operation itself.
func (s *parts) serveCall(l *requestLog, c *call) {
	c.form = &form.Form{}
	if c.op.Bulk != "" {
		c.upload = &upload{call: c}
		if c.op == remote.ProcessPDF {
			c.upload.most = s.pdfLimit()
		}
		defer c.upload.discard()
	}
	defer c.share.Release()
	c.deadlines = l.deadlines
	if c.body = l.body; c.body != nil {
		c.body.Content, c.body.Judge = c.form.Content, c.judgeBody
	}
	err := c.prepare()
	if err == nil {
		var end func()
		if end, err = c.follow(); err == nil {
			defer end()
		}
	}
	if err != nil {
		err = c.confirmed(err)
	}
	l.call(c)
	if c.account.ID != 0 {
		c.tellOffers(l.Header())
		s.addresses.Know(address.Network(c.request))
	} else if tooOften := s.tooOften(c.request); tooOften != nil {
		err = tooOften
	}
	var failure *answer.Failure
	var noSOAP *remote.SOAPError
	if c.soap != nil && (errors.As(err, &failure) || errors.As(err, &noSOAP)) {
		s.soapFailure(l, c.soap.version, err)
		return
	}
	if errors.As(err, &failure) {
		failure.Answer(l)
		return
	}
	c.respond(l, err)
}
