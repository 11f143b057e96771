package generate

import (
	"crypto/sha256"
	"errors"
	"fmt"
	"math/rand/v2"
	"strconv"
	"strings"

	"paperfs/remote/service/store"
)

// filesInDir is the number of media files per directory.
const filesInDir = 100

// Library generates the media files of a Spec, in directories of a hundred files below a
// directory named after the seed. Their content is small, and in their records.
func Library(tx store.Writer, tenant store.Tenant, s Spec) (Report, error) {
	m := &mediaMaker{tx: tx, tenant: tenant.ID, spec: s, random: rand.New(rand.NewPCG(s.Seed, 3))}
	if s.Media == 0 {
		return m.report, nil
	}
	top, err := m.addDir(0, "generated "+strconv.FormatUint(s.Seed, 10))
	dir := int64(0)
	for i := 0; i < s.Media && err == nil; i++ {
		if i%filesInDir == 0 {
			if dir, err = m.addDir(top, fmt.Sprintf("%s %d", pick(m.random, subjects), i/filesInDir)); err != nil {
				break
			}
		}
		err = m.addFile(dir, i)
	}
	if errors.Is(err, store.ErrTaken) {
		err = fmt.Errorf("the media of the seed %d exist already; give another --seed: %w", s.Seed, err)
	}
	return m.report, err
}

type mediaMaker struct {
	tx     store.Writer
	tenant int64
	spec   Spec
	random *rand.Rand
	report Report
}

func (m *mediaMaker) addDir(parent int64, name string) (int64, error) {
	m.report.Directories++
	return m.tx.AddDir(m.tenant, store.Dir{Parent: parent, Name: name})
}

func (m *mediaMaker) addFile(dir int64, number int) error {
	name := fmt.Sprintf("%s %d.txt", strings.ToLower(pick(m.random, subjects)), number)
	if m.spec.Awkward {
		name = m.awkward(name)
	}
	body := []byte(text(m.random, 5+m.random.IntN(20)) + "\n")
	m.report.Files++
	_, err := m.tx.AddFile(m.tenant, store.File{Dir: dir, Name: name, Size: int64(len(body)), SHA256: sha256.Sum256(body), Small: body})
	return err
}

// awkward puts something hard to show in front of half of the names. The names stay different
// even ignoring case, and contain nothing that media names must not contain.
func (m *mediaMaker) awkward(name string) string {
	if m.random.IntN(2) == 0 {
		return name
	}
	return strings.NewReplacer("/", "-", `\`, "-").Replace(pick(m.random, odd)) + " " + name
}
