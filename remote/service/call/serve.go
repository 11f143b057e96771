package call

import (
	"errors"

	"paperfs/remote"
	"paperfs/remote/service/address"
	"paperfs/remote/service/answer"
	"paperfs/remote/service/form"
)

// ServeCall carries out the rest of the evaluation order: content type, presence of
// parameters, credentials, READONLY, and then the operation itself.
func (s *Service) ServeCall(l *RequestLog, c *Call) {
	c.Form = &form.Form{}
	if c.op.Bulk != "" {
		c.Upload = &Upload{call: c}
		if c.op == remote.ProcessPDF {
			c.Upload.most = s.pdfLimit()
		}
		defer c.Upload.discard()
	}
	defer c.share.Release()
	c.deadlines = l.deadlines
	if c.body = l.body; c.body != nil {
		c.body.Content, c.body.Judge = c.Form.Content, c.judgeBody
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
	if c.Account.ID != 0 {
		c.tellOffers(l.Header())
		s.Addresses.Know(address.Network(c.Request))
	} else if tooOften := s.TooOften(c.Request); tooOften != nil {
		err = tooOften
	}
	if c.Plain != nil {
		c.tellPlain(l, err)
		return
	}
	var failure *answer.Failure
	var noSOAP *remote.SOAPError
	if c.SOAP != nil && (errors.As(err, &failure) || errors.As(err, &noSOAP)) {
		s.SOAPFailure(l, c.SOAP.Version, err)
		return
	}
	if errors.As(err, &failure) {
		failure.Answer(l)
		return
	}
	c.respond(l, err)
}

// ServeSignedIn is ServeCall for a call of the publisher's page.
func (s *Service) ServeSignedIn(l *RequestLog, c *Call, by SignedIn) {
	c.signedIn = &by
	s.ServeCall(l, c)
}
