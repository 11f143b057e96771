-- Inodes of the media store in runs of sixteen: loading or reading a large tree writes and
-- reads few rows, and a change still rewrites one page. cache/content/journal/block.go describes the
-- format.

-- +goose Up
CREATE TABLE media_block (
    number INTEGER PRIMARY KEY AUTOINCREMENT, -- of the inodes in it, without the last four bits; never used anew
    inodes BLOB NOT NULL
) STRICT;

INSERT INTO media_block (number, inodes)
SELECT ino / 16, CAST(group_concat(inode, '') AS BLOB) FROM (
    SELECT ino, ino || char(0) || kind || char(0) || local || char(0) || queued || char(0) || spool || char(0)
        || service_id || char(0) || size || char(0) || size_kb || char(0) || sha256 || char(0) || url || char(0)
        || sent_mtime || char(0) || (atime - sent_mtime) || char(0) || (mtime - sent_mtime) || char(0) || (ctime - sent_mtime) || char(0)
        || mode || char(0) || uid || char(0) || gid || char(0) || target || char(0)
        || (SELECT count(*) || char(0) || coalesce(group_concat(parent || char(0) || name || char(0), ''), '')
            FROM media_name n WHERE n.ino = i.ino) AS inode
    FROM media_inode i)
GROUP BY ino / 16;

DELETE FROM sqlite_sequence WHERE name = 'media_block';
INSERT INTO sqlite_sequence (name, seq) SELECT 'media_block', seq / 16 FROM sqlite_sequence WHERE name = 'media_inode';

DROP TABLE media_name;
DROP TABLE media_inode;
