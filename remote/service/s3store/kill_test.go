package s3store

import (
	"bufio"
	"bytes"
	"context"
	"fmt"
	"io"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"paperfs/remote/service/kit/enginetest"
	"paperfs/remote/service/kit/storetest"
	"paperfs/remote/service/sqlitestore"
	"paperfs/remote/service/store"
	"paperfs/remote/testrun"
)

// Environment variables that make TestWriterChild the program that is killed.
const (
	childRecords = "S3STORE_TEST_RECORDS"
	childAddress = "S3STORE_TEST_ADDRESS"
	childSeed    = "S3STORE_TEST_SEED"
)

// killSize is the size of content that takes a while to send.
const killSize = 20*mib + 5

// TestKilledWriters checks that recorded content is complete, and that nothing else is left after
// the janitor ran. PAPERFS_TEST_KILLS is the number of kills.
func TestKilledWriters(t *testing.T) {
	t.Parallel()
	server := enginetest.SharedObjectStore(t)
	address := server.AddressBeside(t)
	file := filepath.Join(t.TempDir(), "service.db")
	r := testrun.Must(sqlitestore.Open(t.Context(), file))(t)
	r.ExternalContent = true
	defer func() { require.NoError(t, r.Close()) }()
	require.NoError(t, r.Write(t.Context(), store.AllTenants, func(tx store.Writer) error {
		_, err := tx.AddTenant(store.Tenant{Name: "a", RootURL: "/"})
		return err
	}))
	kills, err := strconv.Atoi(os.Getenv("PAPERFS_TEST_KILLS"))
	if err != nil {
		kills = 5
	}
	said := map[string]uint64{} // seeds of contents by key
	for seed := range uint64(kills) {
		killedWriter(t, file, address, seed, said)
	}
	s := at(t, address, r)
	recorded := holdings(t, r)
	for key, seed := range said {
		require.Contains(t, recorded, key, "content that was reported as recorded must be recorded")
		require.True(t, bytes.Equal(storetest.Bytes(seed, killSize), storetest.ReadContent(t, s, key, 0, killSize)))
	}
	for _, key := range recorded {
		_, err := io.Copy(io.Discard, bytes.NewReader(storetest.ReadContent(t, s, key, 0, killSize)))
		require.NoError(t, err, "recorded content must be complete")
	}
	s.ages = ages{}
	t.Logf("%d kills: %d recorded, %d of them reported, %d removed by the janitor", kills, len(recorded), len(said), clean(t, s))
	names, uploads := server.Objects(t, address)
	require.Equal(t, recorded, sortedKeys(names))
	require.Zero(t, uploads)
}

// killedWriter runs a program that writes until it is killed.
func killedWriter(t *testing.T, file, address string, seed uint64, said map[string]uint64) {
	c := exec.Command(os.Args[0], "-test.run=^TestWriterChild$")
	c.Env = append(os.Environ(), childRecords+"="+file, childAddress+"="+address, childSeed+"="+fmt.Sprint(seed))
	out := testrun.Must(c.StdoutPipe())(t)
	require.NoError(t, c.Start())
	lines := bufio.NewScanner(out)
	require.True(t, lines.Scan(), "the child did not start")
	kill := time.AfterFunc(rand.N(600*time.Millisecond), func() { _ = c.Process.Kill() })
	defer kill.Stop()
	for lines.Scan() {
		said[lines.Text()] = seed
	}
	_ = c.Wait()
}

func holdings(t *testing.T, r store.Store) (keys []string) {
	require.NoError(t, r.Read(t.Context(), func(tx store.Reader) error {
		return tx.Holdings(func(h store.Holding) error { keys = append(keys, h.Key); return nil })
	}))
	slices.Sort(keys)
	return keys
}

// TestWriterChild writes content over and over, each replacing the previous one.
func TestWriterChild(t *testing.T) {
	t.Parallel()
	if os.Getenv(childRecords) == "" {
		t.Skip("the program that TestKilledWriters kills")
	}
	r := testrun.Must(sqlitestore.OpenExisting(t.Context(), os.Getenv(childRecords)))(t)
	r.ExternalContent = true
	p := testrun.Must(ParsePlace(os.Getenv(childAddress)))(t)
	s := testrun.Must(New(p, r))(t)
	seed := testrun.Must(strconv.ParseUint(os.Getenv(childSeed), 10, 64))(t)
	content := storetest.Bytes(seed, killSize)
	fmt.Println("begins")
	for i := range 1000 {
		key := storetest.WriteContent(t, s, content)
		require.NoError(t, r.Write(context.Background(), 1, func(tx store.Writer) error {
			if err := tx.KeepContent(key); err != nil {
				return err
			}
			_, err := tx.AddFile(1, store.File{Name: fmt.Sprint(seed, " ", i), Size: killSize, Content: key})
			return err
		}))
		fmt.Println(key)
	}
}
