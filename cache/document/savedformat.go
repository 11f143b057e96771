package document

import (
	"encoding/json"
	"time"

	"paperfs/cache/snapshot"
	"paperfs/remote"
)

// The file of saved answers starts with their number. Then each answer has these records,
// least recently used first:
//
//	kind, id, argument, fetched in Unix nanoseconds, body
const savedMagic = "paperfs documents 1\n"

// restore parses an answer's value from its body.
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
	case DocLinks, DocOrders, DocStatistics:
		a.value, a.size = body, int64(len(body))+overhead
	}
}

func writeSaved(draft string, answers []answer) error {
	bodies := make(map[key][]byte, len(answers))
	for _, a := range answers {
		if body, ok := a.body(); ok {
			bodies[a.key] = body
		}
	}
	return snapshot.Write(draft, savedMagic, func(w *snapshot.Writer) {
		w.Number(int64(len(bodies)))
		for _, a := range answers {
			if body, ok := bodies[a.key]; ok {
				w.Number(int64(a.doc))
				w.Number(a.id)
				w.Text(a.arg)
				w.Number(a.fetched.UnixNano())
				w.Bytes(body)
			}
		}
	})
}

func readSaved(path string) (answers []answer, err error) {
	err = snapshot.Read(path, savedMagic, func(r *snapshot.Reader) error {
		for count := r.Number(); count > 0 && r.Err() == nil; count-- {
			a := answer{key: key{doc: Doc(r.Number()), id: r.Number(), arg: r.Text()}}
			a.fetched = time.Unix(0, r.Number())
			if body := r.Bytes(); r.Err() == nil {
				a.restore(body)
				answers = append(answers, a)
			}
		}
		return nil
	})
	if err != nil {
		return nil, err
	}
	return answers, nil
}
