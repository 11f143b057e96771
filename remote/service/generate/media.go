package generate

import (
	"context"
	"crypto/sha256"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"strconv"
	"strings"

	"paperfs/remote/service/store"
)

// filesInDir is how many media files share a directory.
const filesInDir = 100

// Library makes the media files of a Spec, in directories of a hundred, in a
// directory named after the seed.
func Library(ctx context.Context, tx store.Writer, tenant store.Tenant, contents store.Contents, s Spec) (Report, error) {
	l := &library{tx: tx, tenant: tenant.ID, contents: contents, spec: s, random: rand.New(rand.NewPCG(s.Seed, 3))}
	if s.Media == 0 {
		return l.report, nil
	}
	top, err := l.addDir(0, "generated "+strconv.FormatUint(s.Seed, 10))
	dir := int64(0)
	for i := 0; i < s.Media && err == nil; i++ {
		if i%filesInDir == 0 {
			if dir, err = l.addDir(top, fmt.Sprintf("%s %d", pick(l.random, subjects), i/filesInDir)); err != nil {
				break
			}
		}
		err = l.addFile(ctx, dir, i)
	}
	if errors.Is(err, store.ErrTaken) {
		err = fmt.Errorf("the media of the seed %d exist already; give another --seed: %w", s.Seed, err)
	}
	return l.report, err
}

type library struct {
	tx       store.Writer
	tenant   int64
	contents store.Contents
	spec     Spec
	random   *rand.Rand
	report   Report
}

func (l *library) addDir(parent int64, name string) (int64, error) {
	l.report.Directories++
	return l.tx.AddDir(l.tenant, store.Dir{Parent: parent, Name: name})
}

func (l *library) addFile(ctx context.Context, dir int64, number int) error {
	name := fmt.Sprintf("%s %d.txt", strings.ToLower(pick(l.random, subjects)), number)
	if l.spec.Awkward {
		name = l.awkward(name)
	}
	body := text(l.random, 5+l.random.IntN(20)) + "\n"
	draft, err := l.contents.Create(ctx)
	if err != nil {
		return err
	}
	defer draft.Discard()
	if _, err := io.WriteString(draft, body); err != nil {
		return err
	}
	key, err := draft.Commit()
	if err != nil {
		return err
	}
	if err := l.tx.KeepContent(key); err != nil {
		return err
	}
	l.report.Files++
	_, err = l.tx.AddFile(l.tenant, store.File{Dir: dir, Name: name, Size: int64(len(body)), SHA256: sha256.Sum256([]byte(body)), Content: key})
	return err
}

// awkward puts something hard to show before half of the names. They stay
// different from each other in any case, and without what media names must not
// have.
func (l *library) awkward(name string) string {
	if l.random.IntN(2) == 0 {
		return name
	}
	return strings.NewReplacer("/", "-", `\`, "-").Replace(pick(l.random, odd)) + " " + name
}
