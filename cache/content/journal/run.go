package journal

import "paperfs/cache/state"

// runKey is the key of a value that exists while a store is open.
const runKey = "media.run"

// Begin records that a run has begun. cut reports that the last run was killed, so that one of
// its changes may have taken effect at the service without being recorded.
func Begin(st State) (cut bool, err error) {
	if _, cut, err = st.Value(runKey); cut || err != nil {
		return cut, err
	}
	return false, st.Unsynced(state.Statement{Text: keepValue, Args: []any{runKey, "1"}})
}

// End records that the run has ended.
func End(st State) error {
	return st.Unsynced(state.Statement{Text: "DELETE FROM value WHERE key = ?", Args: []any{runKey}})
}
