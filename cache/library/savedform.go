package library

import (
	"bufio"
	"bytes"
	"crypto/sha256"
	"encoding/binary"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"time"

	"paperfs/remote"
)

// A file of saved answers is
//
//	savedMagic
//	number of answers, then for each, the least recently used first:
//	    kind, id, argument, fetched in Unix nanoseconds, body
//	SHA-256 of all that
//
// with numbers as varints and strings behind their length. It is a cache:
// another form gets another magic, and what is broken is ignored.
const savedMagic = "paperfs documents 1\n"

// answer is an entry with its key.
type answer struct {
	key
	entry
}

// body is what is saved of an answer; false for one that is not.
func (a answer) body() ([]byte, bool) {
	switch v := a.value.(type) {
	case []byte:
		return v, true
	case string:
		return []byte(v), true
	case *structure:
		return v.body, true
	case *settingList:
		return v.body, true
	case found:
		return v.Payload, true
	case []remote.Field:
		body, err := json.Marshal(v)
		return body, err == nil
	}
	return nil, false
}

// restore makes an answer's value of its body.
func (a *answer) restore(body []byte) {
	a.size = 2*int64(len(body)) + overhead
	switch a.doc {
	case DocStructure, DocStructureText:
		a.value = newStructure(body)
	case DocSettingDescriptions:
		a.value = newSettingList(body)
	case DocSetting, DocField:
		a.value = string(body)
	case DocSearchPapers, DocSearchFields:
		a.value = newPapersFound(body)
	case DocSearchPages:
		a.value = newPagesFound(body)
	case docFields:
		var fields []remote.Field
		if json.Unmarshal(body, &fields) == nil {
			a.value = fields
		}
	case DocLinks, DocOrders:
		a.value, a.size = body, int64(len(body))+overhead
	}
}

func writeSaved(path string, answers []answer) (err error) {
	f, err := os.OpenFile(path, os.O_WRONLY|os.O_CREATE|os.O_TRUNC, 0o600)
	if err != nil {
		return err
	}
	defer func() {
		if err = errors.Join(err, f.Close()); err != nil {
			os.Remove(path)
		}
	}()
	buffer := bufio.NewWriterSize(f, 1<<16)
	sum := sha256.New()
	out := io.MultiWriter(buffer, sum)
	var lines [][]byte
	for _, a := range answers {
		if body, ok := a.body(); ok {
			line := binary.AppendVarint(nil, int64(a.doc))
			line = binary.AppendVarint(line, a.id)
			line = append(binary.AppendVarint(line, int64(len(a.arg))), a.arg...)
			line = binary.AppendVarint(line, a.fetched.UnixNano())
			line = binary.AppendVarint(line, int64(len(body)))
			lines = append(lines, line, body)
		}
	}
	head := binary.AppendVarint([]byte(savedMagic), int64(len(lines)/2))
	for _, part := range append([][]byte{head}, lines...) {
		if _, err := out.Write(part); err != nil {
			return err
		}
	}
	if _, err := buffer.Write(sum.Sum(nil)); err != nil {
		return err
	}
	return errors.Join(buffer.Flush(), f.Sync())
}

var errSaved = errors.New("the saved documents cannot be used")

func readSaved(path string) ([]answer, error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	info, err := f.Stat()
	if err != nil {
		return nil, err
	}
	length := info.Size() - sha256.Size
	if length < int64(len(savedMagic)) {
		return nil, errSaved
	}
	sum := sha256.New()
	r := savedReader{r: bufio.NewReaderSize(io.TeeReader(io.LimitReader(f, length), sum), 1<<16), most: length}
	answers, err := r.answers()
	if err != nil {
		return nil, err
	}
	stored := make([]byte, sha256.Size)
	if _, err := io.ReadFull(f, stored); err != nil {
		return nil, err
	}
	if !bytes.Equal(stored, sum.Sum(nil)) {
		return nil, fmt.Errorf("%w: checksum mismatch", errSaved)
	}
	return answers, nil
}

type savedReader struct {
	r    *bufio.Reader
	most int64 // bytes of the file, and so of anything in it
	err  error // the first
}

func (r *savedReader) answers() (answers []answer, err error) {
	if magic := r.bytes(int64(len(savedMagic))); string(magic) != savedMagic {
		return nil, fmt.Errorf("%w: another version saved them", errSaved)
	}
	for count := r.number(); count > 0 && r.err == nil; count-- {
		a := answer{key: key{doc: Doc(r.number()), id: r.number()}}
		a.arg = string(r.bytes(r.number()))
		a.fetched = time.Unix(0, r.number())
		if body := r.bytes(r.number()); r.err == nil {
			a.restore(body)
			answers = append(answers, a)
		}
	}
	if r.err == nil {
		if _, err := r.r.ReadByte(); err != io.EOF {
			r.err = errSaved
		}
	}
	return answers, r.err
}

func (r *savedReader) number() (n int64) {
	if r.err == nil {
		n, r.err = binary.ReadVarint(r.r)
	}
	return n
}

func (r *savedReader) bytes(n int64) []byte {
	if r.err == nil && (n < 0 || n > r.most) {
		r.err = errSaved
	}
	if r.err != nil {
		return nil
	}
	content := make([]byte, n)
	_, r.err = io.ReadFull(r.r, content)
	return content
}
