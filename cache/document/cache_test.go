package document

import (
	"cmp"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"io"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"paperfs/cache/state"
	"paperfs/cache/state/statetest"
	"paperfs/remote"

	"github.com/stretchr/testify/require"
)

// fakeService answers from maps and counts the calls of each operation.
type fakeService struct {
	calls      map[string]int
	settings   map[string]string // NAME or ID/NAME
	fields     []remote.Field
	values     map[string]string
	jobs       map[string]remote.JobStatus
	processing []remote.Processing
	older      []string          // argument of the last ProcessPDF
	files      map[string]string // by address
	err        error             // if set, the answer of every operation
	before     func()            // runs before a change is answered
	turn       func()            // called while a caller waits for its turn
	turns      []int             // number of calls of each turn, negative at its end
	guid       string            // of the next job; "" means pendingJob
	firstPage  int               // added to the ids of pages
	noPages    bool              // no paper has pages
	media      time.Time         // when media/ was last changed
}

func (s *fakeService) count(op string) error {
	s.calls[op]++
	return s.err
}

func (s *fakeService) change() {
	if s.before != nil {
		s.before()
	}
}

func (s *fakeService) total() (n int) {
	for _, c := range s.calls {
		n += c
	}
	return n
}

func (s *fakeService) GetPaperStructure(_ context.Context, id int64, text bool) ([]byte, error) {
	body := fmt.Sprintf(`<paper id="%d" name="P" url="/p/"><pages>`, id)
	for n := 1; n <= 2 && !s.noPages; n++ {
		body += fmt.Sprintf(`<page id="%d" number="%d" part-of-index="True">`, 90+s.firstPage+n, n)
		if text {
			body += fmt.Sprintf(`<text><![CDATA[Text of page %d]]></text>`, n)
		}
		body += `<images><image file-size="9" type="Thumb" url="http://h/t" /></images></page>`
	}
	return []byte(body + `</pages></paper>`), s.count("GetPaperStructure")
}

func (s *fakeService) GetLinks(context.Context, int64) ([]byte, error) {
	return []byte("<root />"), s.count("GetLinks")
}

func (s *fakeService) GetFlipbookOrdersByType(_ context.Context, _ int64, kind string) ([]byte, error) {
	return []byte("<flipbooks>" + kind + "</flipbooks>"), s.count("GetFlipbookOrdersByType")
}

func (s *fakeService) GetNumberOfPageviewsPerDay(_ context.Context, _ int64, from, to time.Time) ([]remote.DayCount, error) {
	return []remote.DayCount{{Day: from, Count: 7}, {Day: to, Count: 9}}, s.count("GetNumberOfPageviewsPerDay")
}

func (s *fakeService) GetNumberOfPageviewsPerPage(_ context.Context, id int64, from, to time.Time) ([]remote.PageCount, string, error) {
	days := int64(to.Sub(from).Hours()/24) + 1
	return []remote.PageCount{{Page: 1, Count: days}, {Page: 2}, {Page: 2, Target: `https://example.org/?a="1", 2`, Count: 2 * days}}, fmt.Sprintf("http://h/%d", id), s.count("GetNumberOfPageviewsPerPage")
}

func (s *fakeService) GetNumberOfVisitorsPerDay(_ context.Context, _ int64, _, to time.Time) ([]remote.DayCount, error) {
	return []remote.DayCount{{Day: to, Count: 2}}, s.count("GetNumberOfVisitorsPerDay")
}

func (s *fakeService) GetSetting(_ context.Context, id int64, name string) (string, error) {
	return s.settings[name], s.count("GetSetting")
}

func (s *fakeService) SetSetting(_ context.Context, id int64, name, value string) error {
	s.settings[name] = value
	s.change()
	return s.count("SetSetting")
}

func (s *fakeService) GetSettingDescriptions(context.Context) ([]byte, error) {
	return []byte(`<settings><setting name="iconPdf" description="d" explanation="e" type="bool" />` +
		`<setting name="maxZoom" description="d" explanation="e" type="int" />` +
		`<setting name="language" description="d" explanation="e" type="string" />` +
		`<setting name="expires" description="d" explanation="e" type="datetime" /></settings>`), s.count("GetSettingDescriptions")
}

func (s *fakeService) SearchPapersWithHiearchyByContent(_ context.Context, query string, _ int64) ([]byte, error) {
	return []byte(`<papers><paper paperID="12" name="` + query + `" url="/x/" parentID="1" category="False" /></papers>`),
		s.count("SearchPapersWithHiearchyByContent")
}

func (s *fakeService) SearchPapersByContent(context.Context, string, int64) ([]byte, error) {
	return []byte(`<results><result paperID="12" pageNumber="3" paperName="X" paperUrl="/x/" /></results>`), s.count("SearchPapersByContent")
}

func (s *fakeService) SearchPapersByCustomFields(context.Context, int64, []remote.FieldCriterion) ([]byte, error) {
	return []byte(`<papers><paper id="12" name="X" url="/x/" /></papers>`), s.count("SearchPapersByCustomFields")
}

func (s *fakeService) GetProcessingStatus(_ context.Context, guid string) (remote.JobStatus, string, error) {
	if err := s.count("GetProcessingStatus"); err != nil {
		return "", "", err
	}
	if status, ok := s.jobs[guid]; ok {
		return status, "", nil
	}
	return "", "", &remote.Error{Op: "GetProcessingStatus", Kind: remote.Refused, Code: remote.Failure, Message: "No such job."}
}

func (s *fakeService) Turn(ctx context.Context, ops ...*remote.Operation) (context.Context, func(), error) {
	if s.turn != nil {
		s.turn()
	}
	s.turns = append(s.turns, len(ops))
	return ctx, func() { s.turns = append(s.turns, -len(ops)) }, s.err
}

func (s *fakeService) ProcessPDF(_ context.Context, paper int64, _ string, pdf remote.Content, older ...string) (remote.Job, error) {
	s.older = older
	if err := s.count("ProcessPDF"); err != nil {
		return remote.Job{}, err
	}
	body, err := pdf.Open()
	if err != nil {
		return remote.Job{}, err
	}
	defer body.Close()
	h := sha256.New()
	if _, err := io.Copy(h, body); err != nil {
		return remote.Job{}, err
	}
	guid := cmp.Or(s.guid, pendingJob)
	s.jobs[guid] = remote.JobPending
	s.processing = append(s.processing, remote.Processing{Paper: paper, Progress: 35})
	return remote.Job{GUID: guid, SHA256: hex.EncodeToString(h.Sum(nil))}, nil
}

func (s *fakeService) GetProcessingPapers(context.Context) ([]remote.Processing, error) {
	return s.processing, s.count("GetProcessingPapers")
}

func (s *fakeService) Download(_ context.Context, address string, _ remote.Part) (*remote.Received, error) {
	if err := s.count("Download"); err != nil {
		return nil, err
	}
	data, ok := s.files[address]
	if !ok {
		return nil, &remote.Error{Op: "Download", Kind: remote.Status, Status: 404}
	}
	return &remote.Received{ReadCloser: io.NopCloser(strings.NewReader(data)), Size: -1}, nil
}

func (s *fakeService) GetCustomFieldDefinitions(context.Context) ([]remote.Field, error) {
	return s.fields, s.count("GetCustomFieldDefinitions")
}

func (s *fakeService) GetCustomFieldValue(_ context.Context, id int64, name string) (string, bool, error) {
	value, ok := s.values[name]
	return value, !ok, s.count("GetCustomFieldValue")
}

func (s *fakeService) SetCustomFieldValue(_ context.Context, _ int64, name, value string) error {
	s.values[name] = value
	s.change()
	return s.count("SetCustomFieldValue")
}

func (s *fakeService) MediaChanged() time.Time { return s.media }

func (s *fakeService) CreatePreviewToken(context.Context, int64, int, string) (string, error) {
	err := s.count("CreatePreviewToken")
	return fmt.Sprintf("token-%d", s.calls["CreatePreviewToken"]), err
}

type fixture struct {
	*Cache
	service *fakeService
	now     time.Time
	dirs    state.Dirs
	state   *state.State
	saved   string // the file of saved answers
	bytes   int64  // Options.Bytes
}

func newFixture(t *testing.T) *fixture {
	f := &fixture{
		service: &fakeService{
			calls:    map[string]int{},
			settings: map[string]string{"iconPdf": "false"},
			fields:   []remote.Field{{Name: "Season", Type: "string"}},
			values:   map[string]string{},
			jobs:     map[string]remote.JobStatus{},
			files:    map[string]string{"http://h/t": "a small picture"},
		},
		now:  time.Date(2027, 1, 2, 3, 4, 5, 0, time.UTC),
		dirs: state.Dirs{State: filepath.Join(t.TempDir(), "state"), Cache: filepath.Join(t.TempDir(), "cache")},
	}
	f.saved = filepath.Join(t.TempDir(), "saved")
	f.remount(t, "")
	t.Cleanup(func() { f.state.Close() })
	return f
}

// remount drops everything except the files on disk.
func (f *fixture) remount(t *testing.T, publicURL string) {
	var err error
	if f.state != nil {
		require.NoError(t, f.Close())
		require.NoError(t, f.state.Close())
	}
	statetest.Prepare(t, f.dirs)
	f.state, err = state.Open(f.dirs, "/mnt")
	require.NoError(t, err)
	f.Cache, err = New(Options{
		Service: f.service, State: f.state, TTL: time.Minute, PublicURL: publicURL,
		BaseURL: "https://api.example:8443/prefix/", Now: func() time.Time { return f.now },
		Saved: f.saved, Bytes: f.bytes,
	})
	require.NoError(t, err)
	t.Cleanup(func() { _ = f.Close() })
}

// expectCalls runs do and requires that it makes exactly n requests.
func (f *fixture) expectCalls(t *testing.T, n int, do func()) {
	t.Helper()
	before := f.service.total()
	do()
	require.Equal(t, n, f.service.total()-before, "requests: %v", f.service.calls)
}

// status returns the status of a job.
func (f *fixture) status(ctx context.Context, name string) (remote.JobStatus, error) {
	job, err := f.Job(ctx, name)
	return job.Status, err
}
