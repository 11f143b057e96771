package service

import (
	"cmp"
	"context"
	"crypto/sha256"
	"errors"
	"fmt"
	"io"
	"math"
	"mime"
	"net/http"
	"os"
	"slices"
	"strings"
	"unicode"

	"paperfs/remote"
	"paperfs/remote/rules"
	"paperfs/remote/service/address"
	"paperfs/remote/service/admission"
	"paperfs/remote/service/answer"
	"paperfs/remote/service/form"
	"paperfs/remote/service/store"
	"paperfs/remote/xmlscan"
)

const (
	formType      = "application/x-www-form-urlencoded"
	multipartType = "multipart/form-data"
)

// serveCall carries out the rest of the evaluation order: content type, presence of
// parameters, credentials, READONLY, and then the operation itself.
func (s *Service) serveCall(l *requestLog, c *call) {
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

func (c *call) prepare() error {
	if err := c.decode(); err != nil {
		return err
	}
	pair, err := c.checkPresence()
	if err != nil {
		return cmp.Or(c.malformed(), err)
	}
	if err := c.admit(pair); err != nil {
		return err
	}
	c.share.Release() // the sender is no stranger
	if c.upload != nil {
		c.upload.slot.Release()
	}
	return c.checkText()
}

// source returns the parameters as a form: the query of a GET, the body of a POST.
func (c *call) source() (io.Reader, error) {
	switch {
	case c.soap != nil:
		return c.soap.Form(c.params()), nil
	case c.request.Method != http.MethodPost:
		return strings.NewReader(c.request.URL.RawQuery), nil
	}
	asJSON, err := c.checkBodyType()
	if err != nil {
		return nil, err
	}
	limit := c.bodyLimit()
	if c.request.ContentLength > limit {
		return nil, tooLarge(limit)
	}
	body := http.MaxBytesReader(nil, c.request.Body, limit)
	if asJSON {
		return form.FromJSON(body, c.names()), nil
	}
	return body, nil
}

// names returns the parameters that are text.
func (c *call) names() []string {
	names := append([]string{remote.PL.Username, remote.PL.Password, remote.Plain.Username, remote.Plain.Password}, c.params()...)
	return slices.DeleteFunc(names, func(n string) bool { return n == c.op.Bulk })
}

// decode reads the parameters.
func (c *call) decode() error {
	source, err := c.source()
	if err != nil {
		return err
	}
	options := form.Options{Form: c.form, Names: c.names(), Bulk: c.op.Bulk, Early: admission.FreeMemory, Lift: c.liftParameters, Boundary: c.boundary}
	if c.upload != nil {
		options.Open = c.upload.open
	}
	_, err = form.Decode(source, options)
	if c.upload != nil && err == nil {
		err = c.upload.end()
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

func (c *call) bodyLimit() int64 {
	switch limit := c.service.options.BodyLimit; {
	case limit > 0:
		return limit
	case c.op == remote.UploadFile: // only the free space limits it
		return math.MaxInt64
	case c.op == remote.ProcessPDF: // in base64, percent-encoded, and then some
		return max(defaultBodyLimit, c.service.pdfLimit()/2*3)
	}
	return defaultBodyLimit
}

func tooLarge(limit int64) error {
	return &answer.Failure{Status: http.StatusRequestEntityTooLarge, Line: fmt.Sprintf("The request body is larger than %d bytes.", limit)}
}

// checkBodyType refuses a POST that is neither a form (contract, 1.3 and 1.8) nor raw content (4.10) nor JSON, and
// reports whether it is JSON. A POST without a type must have no body.
func (c *call) checkBodyType() (isJSON bool, err error) {
	r := c.request
	declared := r.Header.Get("Content-Type")
	kind, parameters, err := mime.ParseMediaType(declared)
	if err != nil {
		kind, _, _ = strings.Cut(strings.ToLower(declared), ";")
	}
	kind = strings.TrimSpace(kind)
	isJSON = c.json && c.op.Bulk == "" && kind == answer.JSONType
	isRaw := kind == multipartType && c.op.Bulk != "" && !c.service.options.NoExtended
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

// malformed returns the refusal of a body that is not as multipart/form-data has to be; nil if it is.
func (c *call) malformed() error {
	if err := c.form.Malformed(); err != nil {
		return answer.Invalid("The multipart/form-data is malformed: %v.", err)
	}
	return nil
}

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

// checkPresence finds the first absent parameter (contract, 1.4 rule 2) and returns the
// pair of parameters that has the credentials. Extended operations take either pair,
// their own first.
func (c *call) checkPresence() (remote.Pair, error) {
	pair := c.op.Pair
	if c.op.Extended && !c.hasPair(pair) {
		for _, other := range []remote.Pair{remote.PL, remote.Plain} {
			if c.hasPair(other) {
				pair = other
			}
		}
	}
	if c.soap != nil { // an absent element is a null, which counts as empty
		return pair, nil
	}
	for _, name := range append([]string{pair.Username, pair.Password}, c.op.Params...) {
		if !c.has(name) && !slices.Contains(c.op.Optional, name) {
			return pair, &answer.Failure{Status: http.StatusInternalServerError, Line: fmt.Sprintf("Missing parameter: %s.", name)}
		}
	}
	return pair, nil
}

// checkText refuses characters that XML cannot carry, except in ignored parameters: an
// answer never contains those.
func (c *call) checkText() error {
	for _, name := range c.params() {
		if name != c.op.Bulk && !slices.Contains(c.op.Ignored, name) && !xmlscan.Carries(c.param(name)) {
			return answer.Invalid("%s contains a character that XML cannot carry.", name)
		}
	}
	return nil
}

// judgeBody lets a body pass the bounds if good credentials have arrived.
func (c *call) judgeBody() error {
	pair, ok := c.pairSeen()
	if !ok {
		return c.body.TooEarly()
	}
	return c.admit(pair)
}

// liftParameters lets the parameters grow large if good credentials have arrived, else up to ParameterMemory.
func (c *call) liftParameters(seen *form.Form) (early int64, err error) {
	c.form = seen
	if pair, ok := c.pairSeen(); ok {
		return 0, c.admit(pair)
	}
	if c.lifted {
		return 0, admission.TooEarly("Send the credentials before the other parameters, or at most %d bytes of those.", admission.ParameterMemory)
	}
	c.lifted = true
	return admission.ParameterMemory, c.share.Hold(&c.service.strangers, admission.ParameterMemory)
}

// params returns the parameters that this service knows, without those of the credentials.
func (c *call) params() []string { return c.service.documented(c.op).All() }

// id reads a parameter that names a record: 1 to 2147483647.
func (c *call) id(name string) (int64, error) { return c.integer(name, 1, store.MaxID) }

// integer reads a parameter of digits only, leading zeros allowed.
func (c *call) integer(name string, least, most int64) (int64, error) {
	v, ok := rules.IDOrZero(c.param(name))
	if !ok || v < least || v > most {
		return 0, answer.Invalid("%s has to be a number from %d to %d.", name, least, most)
	}
	return v, nil
}

// boolean reads a parameter that may be empty for its default.
func (c *call) boolean(name string, byDefault bool) (bool, error) {
	v, ok := rules.Bool(c.param(name), byDefault)
	if !ok {
		return false, answer.Invalid("%s has to be true or false.", name)
	}
	return v, nil
}

// displayName reads a node's name from the value of a parameter.
func displayName(param, value string) (string, error) {
	name := strings.TrimSpace(value)
	if rules.NodeName(name) != rules.None {
		return "", answer.Invalid("%s has to be 1 to 255 characters, without control characters.", param)
	}
	return name, nil
}

// urlName reads the last segment of a node's address.
func (c *call) urlName(param string) (string, error) {
	name := strings.TrimSpace(c.param(param))
	if !rules.Segment(name) {
		return "", answer.Invalid("%s has to be %s", param, rules.SegmentWords)
	}
	return name, nil
}

func (c *call) has(name string) bool {
	if name == c.op.Bulk {
		present, _ := c.form.Bulk()
		return present
	}
	_, present := c.form.Get(name)
	return present
}

func (c *call) hasPair(p remote.Pair) bool { return c.has(p.Username) && c.has(p.Password) }

// pairSeen finds the credentials among the parameters that have arrived.
func (c *call) pairSeen() (remote.Pair, bool) {
	for _, pair := range []remote.Pair{c.op.Pair, remote.PL, remote.Plain} {
		if (pair == c.op.Pair || c.op.Extended) && c.hasPair(pair) {
			return pair, true
		}
	}
	return remote.Pair{}, false
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
	return &answer.Failure{Status: http.StatusUnsupportedMediaType, Line: fmt.Sprintf("The charset %s is not accepted: send %s.", nameText(charset), right)}
}

// How many bytes of a path, and of a name in a request, the log and answers show.
const (
	pathTextMost = 500
	nameTextMost = 100
)

// pathText returns the part of a path that the log and answers show. If a client escapes
// the ? of its query, once or twice, or begins the query with another character, its key
// is in the path: the text ends before that character.
func pathText(path string) string {
	if i := strings.IndexFunc(path, func(r rune) bool { return strings.ContainsRune("?&;=%", r) || unicode.IsControl(r) }); i >= 0 {
		path = path[:i]
	}
	return cutText(path, pathTextMost)
}

// nameText returns the part of a name in a request that answers show.
func nameText(name string) string { return cutText(name, nameTextMost) }

func cutText(text string, most int) string {
	if len(text) <= most {
		return text
	}
	return strings.ToValidUTF8(text[:most], "") + "…"
}

// contentFileKey marks the context of a request whose content has a file.
type contentFileKey struct{}

// ContentFile is a file of this process that has exactly the content of a request, and to which nothing writes any
// more: the service may keep it.
type ContentFile struct {
	File   *os.File
	SHA256 [sha256.Size]byte // of the content; a request whose content differs ends too early
}

// WithContentFile marks a request from the same process, whose content the file has.
func WithContentFile(ctx context.Context, file *ContentFile) context.Context {
	return context.WithValue(ctx, contentFileKey{}, file)
}

// contentFile returns the file that has the content of a request; nil for none.
func contentFile(ctx context.Context) *ContentFile {
	file, _ := ctx.Value(contentFileKey{}).(*ContentFile)
	return file
}
