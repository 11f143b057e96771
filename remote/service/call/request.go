package call

import (
	"cmp"
	"errors"
	"fmt"
	"io"
	"math"
	"mime"
	"net/http"
	"strings"

	"paperfs/remote"
	"paperfs/remote/service/admission"
	"paperfs/remote/service/answer"
	"paperfs/remote/service/form"
)

const (
	formType      = "application/x-www-form-urlencoded"
	multipartType = "multipart/form-data"
)

func (c *Call) prepare() error {
	if err := c.decode(); err != nil {
		return err
	}
	pair, err := c.checkPresence()
	if err != nil {
		return cmp.Or(c.Malformed(), err)
	}
	if err := c.admit(pair); err != nil {
		return err
	}
	c.share.Release() // the sender is no stranger
	if c.Upload != nil {
		c.Upload.slot.Release()
	}
	return c.checkText()
}

// source returns the parameters as a form: the query of a GET, the body of a POST.
func (c *Call) source() (io.Reader, error) {
	switch {
	case c.SOAP != nil:
		return c.SOAP.Form(c.params()), nil
	case c.Request.Method != http.MethodPost:
		return strings.NewReader(c.Request.URL.RawQuery), nil
	}
	asJSON, err := c.checkBodyType()
	if err != nil {
		return nil, err
	}
	limit := c.bodyLimit()
	if c.Request.ContentLength > limit {
		return nil, tooLarge(limit)
	}
	body := http.MaxBytesReader(nil, c.Request.Body, limit)
	if asJSON {
		return form.FromJSON(body, c.names()), nil
	}
	return body, nil
}

// decode reads the parameters.
func (c *Call) decode() error {
	source, err := c.source()
	if err != nil {
		return err
	}
	options := form.Options{Form: c.Form, Names: c.names(), Bulk: c.op.Bulk, Early: admission.FreeMemory, Lift: c.liftParameters, Boundary: c.boundary}
	if c.Upload != nil {
		options.Open = c.Upload.open
	}
	_, err = form.Decode(source, options)
	if c.Upload != nil && err == nil {
		err = c.Upload.end()
	}
	return bodyFailure(err)
}

// bodyFailure turns the failure of a body into the answer to its sender.
func bodyFailure(err error) error {
	var large *http.MaxBytesError
	var broken *admission.BodyError
	var notJSON *form.JSONError
	switch {
	case errors.As(err, &large):
		return tooLarge(large.Limit)
	case errors.Is(err, form.ErrTooLarge):
		return &answer.Failure{Status: http.StatusRequestEntityTooLarge, Line: "The parameters are too large."}
	case errors.As(err, &broken):
		return &answer.Failure{Status: http.StatusBadRequest, Line: "The request body ended early."}
	case errors.As(err, &notJSON):
		return &answer.Failure{Status: http.StatusBadRequest, Line: fmt.Sprintf("The request body is no JSON for an operation: %s.", notJSON.Words)}
	}
	return err
}

func (c *Call) bodyLimit() int64 {
	switch limit := c.Service.Options.BodyLimit; {
	case limit > 0:
		return limit
	case c.op == remote.UploadFile: // only the free space limits it
		return math.MaxInt64
	case c.op == remote.ProcessPDF: // in base64, percent-encoded, and then some
		return max(defaultBodyLimit, c.Service.pdfLimit()/2*3)
	}
	return defaultBodyLimit
}

func tooLarge(limit int64) error {
	return &answer.Failure{Status: http.StatusRequestEntityTooLarge, Line: fmt.Sprintf("The request body is larger than %d bytes.", limit)}
}

// checkBodyType refuses a POST that is neither a form (contract, 1.3 and 1.8) nor raw content (4.10) nor JSON, and
// reports whether it is JSON. A POST without a type must have no body.
func (c *Call) checkBodyType() (isJSON bool, err error) {
	r := c.Request
	declared := r.Header.Get("Content-Type")
	kind, parameters, err := mime.ParseMediaType(declared)
	if err != nil {
		kind, _, _ = strings.Cut(strings.ToLower(declared), ";")
	}
	kind = strings.TrimSpace(kind)
	isJSON = c.JSON && c.op.Bulk == "" && kind == answer.JSONType
	isRaw := kind == multipartType && c.op.Bulk != "" && !c.Service.Options.NoExtended
	if kind != formType && !isJSON && !isRaw && (declared != "" || r.ContentLength != 0) {
		return false, &answer.Failure{Status: http.StatusInternalServerError, Line: fmt.Sprintf("Request format is invalid: %s.", declared)}
	}
	for _, charset := range charsets(r.Header) {
		if charset != "utf-8" && charset != "utf8" && charset != "" {
			return false, wrongCharset(charset, "UTF-8")
		}
	}
	if isRaw {
		if c.boundary = parameters["boundary"]; c.boundary == "" || len(c.boundary) > mostBoundary {
			return false, answer.Invalid("The Content-Type has no boundary of 1 to %d characters.", mostBoundary)
		}
	}
	return isJSON, checkCoding(r)
}

// mostBoundary is how long a boundary may be (RFC 2046).
const mostBoundary = 70

// checkCoding refuses a compressed body.
func checkCoding(r *http.Request) error {
	for _, coding := range r.Header.Values("Content-Encoding") {
		if coding == "" || strings.EqualFold(coding, "identity") {
			continue
		}
		return &answer.Failure{Status: http.StatusUnsupportedMediaType, Line: "Compressed request bodies are not accepted.",
			Header: http.Header{"Accept-Encoding": {"identity"}}}
	}
	return nil
}

// judgeBody lets a body pass the bounds if good credentials have arrived.
func (c *Call) judgeBody() error {
	pair, ok := c.pairSeen()
	if !ok {
		return c.body.TooEarly()
	}
	return c.admit(pair)
}

// liftParameters lets the parameters grow large if good credentials have arrived, else up to ParameterMemory.
func (c *Call) liftParameters(seen *form.Form) (early int64, err error) {
	c.Form = seen
	if pair, ok := c.pairSeen(); ok {
		return 0, c.admit(pair)
	}
	if c.lifted {
		return 0, admission.TooEarly("Send the credentials before the other parameters, or at most %d bytes of those.", admission.ParameterMemory)
	}
	c.lifted = true
	return admission.ParameterMemory, c.share.Hold(&c.Service.Strangers, admission.ParameterMemory)
}

// charsets returns every charset that a request's Content-Type names, in lower case. It
// also reads malformed and repeated headers: if it overlooked a charset there, the
// service would misread the text.
func charsets(h http.Header) (all []string) {
	for _, part := range strings.FieldsFunc(strings.Join(h.Values("Content-Type"), ";"), func(r rune) bool { return r == ';' || r == ',' }) {
		name, value, _ := strings.Cut(part, "=")
		// A charset never has the form name*=UTF-8''VALUE or name*0=: its value is refused.
		name, _, _ = strings.Cut(strings.ToLower(strings.TrimSpace(name)), "*")
		if name == "charset" {
			all = append(all, strings.ToLower(strings.Trim(strings.TrimSpace(value), `"`)))
		}
	}
	return all
}

func wrongCharset(charset, right string) error {
	return &answer.Failure{Status: http.StatusUnsupportedMediaType, Line: fmt.Sprintf("The charset %s is not accepted: send %s.", NameText(charset), right)}
}

const soapCharsets = "UTF-8 or UTF-16"

// ReadSOAP reads a request by SOAP. It names the operation that it calls in its action, and by the element in its body if it
// has no action.
func (s *Service) ReadSOAP(r *http.Request, version remote.SOAPVersion, action string) (*remote.SOAPCall, error) {
	if err := checkCoding(r); err != nil {
		return nil, err
	}
	for _, charset := range charsets(r.Header) {
		if charset != "" && charset != "utf8" && charset != "utf-8" && charset != "utf-16" && charset != "utf-16le" && charset != "utf-16be" {
			return nil, wrongCharset(charset, soapCharsets)
		}
	}
	limit := s.soapLimit()
	if r.ContentLength > limit {
		return nil, tooLarge(limit)
	}
	body := http.MaxBytesReader(nil, r.Body, limit)
	request, err := remote.ReadSOAP(body, version, r.Header.Get("Content-Type"))
	if wrong := (*remote.CharsetError)(nil); errors.As(err, &wrong) {
		return nil, wrongCharset(wrong.Charset, soapCharsets)
	}
	if err != nil {
		return nil, bodyFailure(err)
	}
	if action != "" {
		if name, ok := strings.CutPrefix(action, s.Options.XMLNamespace()); !ok || name != request.Operation {
			return nil, &remote.SOAPError{Code: "Client", Words: fmt.Sprintf("The action %q does not match <%s>.", NameText(action), NameText(request.Operation))}
		}
	}
	return request, nil
}
