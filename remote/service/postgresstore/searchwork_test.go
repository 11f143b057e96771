package postgresstore_test

import (
	"encoding/json"
	"testing"

	"github.com/jackc/pgx/v5"
	"github.com/stretchr/testify/require"

	"paperfs/remote/service/kit/enginetest"
	"paperfs/remote/service/postgresstore"
	"paperfs/remote/testrun"
)

// step is a step of an executed PostgreSQL plan.
type step struct {
	Rows     float64 `json:"Actual Rows"`
	Loops    float64 `json:"Actual Loops"`
	Filtered float64 `json:"Rows Removed by Filter"`
	Joined   float64 `json:"Rows Removed by Join Filter"`
	Plans    []step
}

// work returns how many rows the plan read.
func (s step) work() float64 {
	sum := (s.Rows + s.Filtered + s.Joined) * s.Loops
	for _, below := range s.Plans {
		sum += below.work()
	}
	return sum
}

// TestTheRowsOfASearchAreNotHitsTimesPapers checks that the rows that a search reads grow with the
// hits and with the papers, but not with their product, even if PostgreSQL has no statistics yet.
func TestTheRowsOfASearchAreNotHitsTimesPapers(t *testing.T) {
	t.Parallel()
	database := enginetest.Database(t)
	s := open(t, database)
	k := addTenant(t, s, "a")
	conn := testrun.Must(pgx.Connect(t.Context(), database))(t)
	defer conn.Close(t.Context())
	do := func(statement string, args ...any) {
		testrun.Must(conn.Exec(t.Context(), statement, args...))(t)
	}
	const papers, hits = 10_000, 1000
	do(`INSERT INTO node (tenant, parent, kind, name, folded_name, url_name)
		SELECT $1::bigint, $2::bigint, 1, 'c' || n, 'c' || n, 'c' || n FROM generate_series(1, 100) n`, k.ID, k.Root)
	do(`INSERT INTO node (tenant, parent, kind, name, folded_name, url_name)
		SELECT $1::bigint, c.id, 2, 'p' || n, 'p' || n, 'p' || n FROM node c, generate_series(1, $3::int / 100) n WHERE c.parent = $2`, k.ID, k.Root, papers)
	do(`INSERT INTO page (node, number, part_of_index, text, title) SELECT id, 1, true, '', '' FROM node WHERE kind = 2`)
	do(`INSERT INTO page_phrase (page, phrase)
		SELECT id, 'page ' || id || ' has much to say of ponds and birds' || CASE WHEN id % ($1::int / $2::int) = 0 THEN ' and hedgehogs' ELSE '' END FROM page`, papers, hits)
	for _, known := range []bool{false, true} {
		if known {
			do("VACUUM ANALYZE")
		}
		for name, query := range map[string]string{"compared": postgresstore.Compared, "indexed": postgresstore.Indexed} {
			var text []byte
			require.NoError(t, conn.QueryRow(t.Context(), "EXPLAIN (ANALYZE, FORMAT JSON) "+query, k.Root, "%hedgehogs%").Scan(&text))
			var plans []struct{ Plan step }
			require.NoError(t, json.Unmarshal(text, &plans))
			require.EqualValues(t, hits, plans[0].Plan.Rows, name)
			require.Less(t, plans[0].Plan.work(), 20.0*papers, "%s, with statistics: %v: %s", name, known, text)
		}
	}
}
