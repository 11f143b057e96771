package fullcopy

import (
	"crypto/sha256"
	"encoding/binary"
	"fmt"
	"hash"
	"iter"
	"math"

	"paperfs/remote/service/store"
)

// Digest identifies a set of rows regardless of their order: it is the sum of their SHA-256.
type Digest struct {
	Rows int64
	sum  [4]uint64
}

// counting passes rows on and adds them to the digest.
func (d *Digest) counting(rows iter.Seq2[store.Row, error]) iter.Seq2[store.Row, error] {
	return func(yield func(store.Row, error) bool) {
		h := sha256.New()
		for row, err := range sanitized(rows) {
			if err == nil {
				err = d.add(h, row)
			}
			if !yield(row, err) || err != nil {
				return
			}
		}
	}
}

func (d *Digest) add(h hash.Hash, row store.Row) error {
	h.Reset()
	for _, value := range row {
		var form [9]byte
		var rest []byte
		switch v := value.(type) {
		case nil:
		case int64:
			form[0] = 'i'
			binary.BigEndian.PutUint64(form[1:], uint64(v))
		case float64:
			form[0] = 'f'
			binary.BigEndian.PutUint64(form[1:], math.Float64bits(v))
		case string:
			form[0], rest = 't', []byte(v)
			binary.BigEndian.PutUint64(form[1:], uint64(len(v)))
		case []byte:
			form[0], rest = 'b', v
			binary.BigEndian.PutUint64(form[1:], uint64(len(v)))
		default:
			return fmt.Errorf("a value of the type %T", value)
		}
		h.Write(form[:])
		h.Write(rest)
	}
	var sum [sha256.Size]byte
	h.Sum(sum[:0])
	for i := range d.sum {
		d.sum[i] += binary.BigEndian.Uint64(sum[8*i:])
	}
	d.Rows++
	return nil
}

func digestOf(tables store.Tables, table string, columns []string) (d Digest, err error) {
	for _, err := range d.counting(tables.Rows(table, columns)) {
		if err != nil {
			return d, fmt.Errorf("read the table %s: %w", table, err)
		}
	}
	return d, nil
}
