package document

import (
	"time"
)

// JobUnderWay is a job that was begun here and is not known to have ended.
type JobUnderWay struct {
	GUID  string
	Paper int64
	Began time.Time
	Asked time.Time // when the service was last asked for it; zero for not in this mount
}

// longestJob is after how long a job that nobody asks for is not taken for one under way any more.
const longestJob = 24 * time.Hour

// JobsUnderWay are the jobs that were begun here within a day and are not known to have ended, the
// oldest first, and of each paper the last one alone. Nothing is asked, so one of them may have ended
// since.
func (l *Cache) JobsUnderWay() (jobs []JobUnderWay, err error) {
	rows, err := l.db.Query(`SELECT guid, paper, began FROM job WHERE status = 'Pending' AND began > ?
		AND rowid IN (SELECT max(rowid) FROM job WHERE paper IS NOT NULL GROUP BY paper) ORDER BY began`,
		l.now().Add(-longestJob).UnixNano())
	if err != nil {
		return nil, err
	}
	defer rows.Close()
	for rows.Next() {
		var j JobUnderWay
		var began int64
		if err := rows.Scan(&j.GUID, &j.Paper, &began); err != nil {
			return nil, err
		}
		j.Began, j.Asked = time.Unix(0, began).UTC(), l.jobs.lastAsked(j.GUID)
		jobs = append(jobs, j)
	}
	return jobs, rows.Err()
}
