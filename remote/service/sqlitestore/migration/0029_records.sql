-- +goose Up

-- AUTOINCREMENT throughout: an id is never reused, even after its record is deleted (service contract, section 5).

CREATE TABLE service (
    id        INTEGER PRIMARY KEY CHECK (id = 1),
    read_only INTEGER NOT NULL
) STRICT;

-- A version is a random number: a counter would reach the same numbers again after an older database was restored, and cached
-- answers would wrongly count as current. Each change of the tenant's nodes, or of its media, replaces one, so that an answer
-- that depends on them is valid while the version stays the same. The triggers that do so also count the usage, so that no upload
-- has to sum up all files.
CREATE TABLE tenant (
    id                INTEGER PRIMARY KEY AUTOINCREMENT,
    name              TEXT    NOT NULL UNIQUE,
    root_url          TEXT    NOT NULL,
    public_url        TEXT    NOT NULL,
    processings       INTEGER,
    orders            INTEGER NOT NULL,
    tree_version      INTEGER NOT NULL DEFAULT 0,
    media_version     INTEGER NOT NULL DEFAULT 0,
    quota_media_bytes INTEGER,                    -- NULL, like the quotas below: no limit
    quota_papers      INTEGER,
    quota_pdf_minutes INTEGER,
    media_bytes       INTEGER NOT NULL DEFAULT 0, -- in use
    papers            INTEGER NOT NULL DEFAULT 0, -- in use
    pdf_turn          INTEGER NOT NULL DEFAULT 0, -- when it last had its turn at PDF processing: a greater number is later
    edition_version   INTEGER NOT NULL DEFAULT 0, -- replaced whenever the edition of a paper changes
    keep_days         INTEGER,                    -- for how many days what is taken away is kept; NULL, like keep_bytes: the default
    keep_bytes        INTEGER,                    -- how much of it at most
    told              INTEGER                     -- up to when the log has the periods that began and ended; NULL: there is no webhook
) STRICT;

CREATE TABLE tenant_host (
    host   TEXT    PRIMARY KEY,
    tenant INTEGER NOT NULL REFERENCES tenant (id) ON DELETE CASCADE
) STRICT, WITHOUT ROWID;

CREATE TABLE account (
    id            INTEGER PRIMARY KEY AUTOINCREMENT,
    tenant        INTEGER NOT NULL REFERENCES tenant (id) ON DELETE CASCADE,
    name          TEXT    NOT NULL,
    key_hash      BLOB    NOT NULL CHECK (length(key_hash) = 32),
    role          INTEGER NOT NULL,
    old_key_hash  BLOB    CHECK (length(old_key_hash) = 32), -- the key before the last rotation; NULL: only key_hash is valid
    old_key_until INTEGER,                                   -- seconds since 1970
    UNIQUE (tenant, name)
) STRICT;

-- kind: 1 category, 2 paper. The root of a tenant has no parent and an empty url name. Times are seconds since 1970. Url names are
-- ASCII, so NOCASE compares them as the contract requires.
CREATE TABLE node (
    id          INTEGER PRIMARY KEY AUTOINCREMENT CHECK (id <= 2147483647),
    tenant      INTEGER NOT NULL REFERENCES tenant (id),
    parent      INTEGER REFERENCES node (id),
    kind        INTEGER NOT NULL CHECK (kind IN (1, 2)),
    name        TEXT    NOT NULL,
    folded_name TEXT    NOT NULL,
    url_name    TEXT    NOT NULL COLLATE NOCASE,
    period_from INTEGER,
    period_to   INTEGER,
    version     INTEGER NOT NULL DEFAULT 0, -- a random number that each change of the row replaces, never negative
    UNIQUE (parent, url_name)
) STRICT;
CREATE UNIQUE INDEX node_root ON node (tenant) WHERE parent IS NULL;
CREATE INDEX node_order ON node (parent, kind, folded_name, id,
    kind || '/' || id || '/' || url_name || '/' || coalesce(period_from || '-' || period_to, '') || '/' || name);
CREATE INDEX node_from ON node (tenant, period_from) WHERE period_from IS NOT NULL;
CREATE INDEX node_to ON node (tenant, period_to) WHERE period_to IS NOT NULL;

CREATE TABLE setting (
    node  INTEGER NOT NULL REFERENCES node (id) ON DELETE CASCADE,
    name  TEXT    NOT NULL,
    value TEXT    NOT NULL,
    PRIMARY KEY (node, name)
) STRICT, WITHOUT ROWID;

CREATE TABLE preview_token (
    token   TEXT    PRIMARY KEY,
    node    INTEGER NOT NULL REFERENCES node (id) ON DELETE CASCADE,
    expires INTEGER NOT NULL,
    ip      TEXT    NOT NULL
) STRICT, WITHOUT ROWID;
CREATE INDEX preview_token_node ON preview_token (node);
CREATE INDEX preview_token_expires ON preview_token (expires);

-- parent and dir are 0 for the root of the library, which has no record.
CREATE TABLE media_dir (
    id          INTEGER PRIMARY KEY AUTOINCREMENT CHECK (id <= 2147483647),
    tenant      INTEGER NOT NULL REFERENCES tenant (id),
    parent      INTEGER NOT NULL,
    name        TEXT    NOT NULL,
    folded_name TEXT    NOT NULL,
    version     INTEGER NOT NULL DEFAULT 0, -- as that of a node
    UNIQUE (tenant, parent, folded_name)
) STRICT;

-- The parts of a paper and what is attached to it. Times are seconds since 1970.
CREATE TABLE page (
    id            INTEGER PRIMARY KEY AUTOINCREMENT CHECK (id <= 2147483647),
    node          INTEGER NOT NULL REFERENCES node (id) ON DELETE CASCADE,
    number        INTEGER NOT NULL CHECK (number > 0),
    part_of_index INTEGER NOT NULL,
    text          TEXT    NOT NULL,
    title         TEXT    NOT NULL DEFAULT '', -- of the bookmarks that lead to it, one per line, indented by one tab for each parent bookmark
    UNIQUE (node, number)
) STRICT;

-- The text of a page, normalized for comparison with queries (store.Phrase). It is a separate table, so that the index can be replaced.
CREATE TABLE page_phrase (
    page   INTEGER PRIMARY KEY REFERENCES page (id) ON DELETE CASCADE,
    phrase TEXT    NOT NULL
) STRICT;

-- type: 1 Zoom, 2 Normal, 3 Thumb. If bytes is not 0, the image is in the images of the paper's rendition, from start on, and has no
-- URL; otherwise the URL is outside the service.
CREATE TABLE image (
    page    INTEGER NOT NULL REFERENCES page (id) ON DELETE CASCADE,
    type    INTEGER NOT NULL CHECK (type IN (1, 2, 3)),
    size_kb INTEGER NOT NULL,
    url     TEXT    NOT NULL,
    start   INTEGER NOT NULL DEFAULT 0,
    bytes   INTEGER NOT NULL DEFAULT 0,
    width   INTEGER NOT NULL DEFAULT 0,
    height  INTEGER NOT NULL DEFAULT 0,
    PRIMARY KEY (page, type)
) STRICT, WITHOUT ROWID;

CREATE TABLE processing (
    node   INTEGER PRIMARY KEY REFERENCES node (id) ON DELETE CASCADE,
    at     INTEGER NOT NULL,
    pdf_kb INTEGER NOT NULL
) STRICT;

CREATE TABLE link (
    node           INTEGER NOT NULL REFERENCES node (id) ON DELETE CASCADE,
    ordinal        INTEGER NOT NULL,
    page           INTEGER NOT NULL,
    x              REAL    NOT NULL,
    y              REAL    NOT NULL,
    width          REAL    NOT NULL,
    height         REAL    NOT NULL,
    alt_text       TEXT    NOT NULL,
    url            TEXT    NOT NULL,
    style_name     TEXT    NOT NULL,
    shape_type     TEXT    NOT NULL,
    polygon_coords TEXT    NOT NULL,
    link_type      TEXT    NOT NULL,
    file_id        TEXT    NOT NULL,
    target         TEXT    NOT NULL,
    use_mask       INTEGER NOT NULL,
    param          TEXT    NOT NULL,
    imported       INTEGER NOT NULL DEFAULT 0, -- 1: by an import; its products need not be in any product table
    PRIMARY KEY (node, ordinal)
) STRICT, WITHOUT ROWID;
CREATE INDEX link_file ON link (CAST(file_id AS INTEGER)) WHERE link_type = 'file';

-- Orders and jobs do not reference node: they outlive their paper, whose id is never reused.
CREATE TABLE purchase (
    id            INTEGER PRIMARY KEY,
    tenant        INTEGER NOT NULL REFERENCES tenant (id),
    order_id      TEXT    NOT NULL,
    node          INTEGER NOT NULL,
    date          INTEGER NOT NULL,
    checkout_type TEXT    NOT NULL,
    key           TEXT, -- that the order was placed with: the same key means the same order
    UNIQUE (tenant, order_id)
) STRICT;
CREATE INDEX purchase_node ON purchase (node, date);
CREATE INDEX purchase_date ON purchase (tenant, date);
CREATE UNIQUE INDEX purchase_key ON purchase (node, key) WHERE key IS NOT NULL;

CREATE TABLE purchase_line (
    purchase    INTEGER NOT NULL REFERENCES purchase (id) ON DELETE CASCADE,
    ordinal     INTEGER NOT NULL,
    product_id  TEXT    NOT NULL,
    name        TEXT    NOT NULL,
    description TEXT    NOT NULL,
    price       TEXT    NOT NULL,
    amount      INTEGER NOT NULL,
    PRIMARY KEY (purchase, ordinal)
) STRICT, WITHOUT ROWID;

CREATE TABLE job (
    guid     TEXT    PRIMARY KEY,
    tenant   INTEGER NOT NULL REFERENCES tenant (id),
    node     INTEGER NOT NULL,
    created  INTEGER NOT NULL,
    progress INTEGER NOT NULL CHECK (progress BETWEEN 0 AND 100),
    status   TEXT    NOT NULL,
    reason   TEXT    NOT NULL DEFAULT ''
) STRICT, WITHOUT ROWID;
CREATE UNIQUE INDEX job_pending ON job (node) WHERE status = 'Pending';

CREATE TABLE custom_field (
    id          INTEGER PRIMARY KEY AUTOINCREMENT,
    tenant      INTEGER NOT NULL REFERENCES tenant (id),
    name        TEXT    NOT NULL,
    folded_name TEXT    NOT NULL,
    type        TEXT    NOT NULL,
    UNIQUE (tenant, folded_name)
) STRICT;

-- No record means null.
CREATE TABLE custom_value (
    field INTEGER NOT NULL REFERENCES custom_field (id) ON DELETE CASCADE,
    node  INTEGER NOT NULL REFERENCES node (id) ON DELETE CASCADE,
    value TEXT    NOT NULL,
    PRIMARY KEY (field, node)
) STRICT, WITHOUT ROWID;
CREATE INDEX custom_value_node ON custom_value (node);

CREATE TABLE secret (
    name  TEXT PRIMARY KEY,
    value BLOB NOT NULL
) STRICT, WITHOUT ROWID;

-- The work of a pending job, in the order of the queue; removed when the job ends. A pending job without work came from an import:
-- another system processes it.
CREATE TABLE job_work (
    id       INTEGER PRIMARY KEY AUTOINCREMENT,
    job      TEXT    NOT NULL UNIQUE REFERENCES job (guid) ON DELETE CASCADE,
    pdf      TEXT    NOT NULL,
    pdf_size INTEGER NOT NULL,
    options  TEXT    NOT NULL,
    attempts INTEGER NOT NULL,
    owner    TEXT    NOT NULL DEFAULT '', -- the worker that processes the PDF
    lease    INTEGER NOT NULL DEFAULT 0,  -- its end: milliseconds since 1970 by the database's clock, 0 for none
    account  TEXT    NOT NULL DEFAULT ''  -- that sent the PDF: what the PDF replaces is kept as taken away by it
) STRICT;

-- Keys of the contents that are stored for a paper: its PDF, and the images of all its pages, concatenated.
CREATE TABLE rendition (
    node     INTEGER PRIMARY KEY REFERENCES node (id) ON DELETE CASCADE,
    pdf      TEXT    NOT NULL UNIQUE,
    pdf_size INTEGER NOT NULL,
    images   TEXT    NOT NULL UNIQUE,
    wishes   TEXT    NOT NULL DEFAULT '' -- how the PDF asks to be shown, as JSON; replaced with the PDF
) STRICT;

-- The trigrams of the phrases. The phrases are already folded, so the index folds nothing. It has no positions, so each hit must be
-- compared. Whatever inserts into page_phrase also inserts here: a trigger would write every page to the disk separately. Deletions
-- use a trigger, which also works when a page is deleted with its paper.
CREATE VIRTUAL TABLE page_index USING fts5 (
    phrase, content='', contentless_delete=1, detail=none, tokenize='trigram case_sensitive 1'
);

CREATE TABLE media_file (
    id          INTEGER PRIMARY KEY AUTOINCREMENT CHECK (id <= 2147483647),
    tenant      INTEGER NOT NULL REFERENCES tenant (id),
    dir         INTEGER NOT NULL,
    name        TEXT    NOT NULL,
    folded_name TEXT    NOT NULL,
    size        INTEGER NOT NULL,
    sha256      BLOB    NOT NULL CHECK (length(sha256) = 32),
    content     TEXT    NOT NULL,           -- its key; empty if the content is small: then it is in media_content
    version     INTEGER NOT NULL DEFAULT 0, -- as that of a node
    UNIQUE (tenant, dir, folded_name)
) STRICT;
CREATE UNIQUE INDEX media_file_content ON media_file (content) WHERE content <> '';

CREATE TABLE media_content (
    file INTEGER PRIMARY KEY REFERENCES media_file (id) ON DELETE CASCADE,
    data BLOB    NOT NULL
) STRICT;

-- Time that workers spent on a tenant's PDFs, per calendar month (2031-05, UTC).
CREATE TABLE pdf_time (
    tenant INTEGER NOT NULL REFERENCES tenant (id) ON DELETE CASCADE,
    month  TEXT    NOT NULL,
    ms     INTEGER NOT NULL,
    PRIMARY KEY (tenant, month)
) STRICT, WITHOUT ROWID;

-- A random number that is replaced whenever something changes that readers see of a paper and that is not in its node or settings:
-- its pages, its links, and the media files that the links lead to. With it, the service knows without rendering that a reader's
-- page is unchanged. No record: the paper never had a page or link.
CREATE TABLE edition (
    node     INTEGER PRIMARY KEY REFERENCES node (id) ON DELETE CASCADE,
    number   INTEGER NOT NULL,
    accepted BLOB,    -- SHA-256 of the last PDF that was accepted for the paper, with its options; NULL if none was
    size     INTEGER, -- its bytes
    job      TEXT     -- its job
) STRICT;

-- The positions of a page's text, as readers receive them: JSON, compressed with gzip.
CREATE TABLE page_layer (
    page  INTEGER PRIMARY KEY REFERENCES page (id) ON DELETE CASCADE,
    layer BLOB    NOT NULL
) STRICT;

-- Contents that are not files next to the database, such as objects in a bucket.
CREATE TABLE content (
    key   TEXT    PRIMARY KEY,
    state INTEGER NOT NULL, -- 0 intended, 1 kept, 2 given up, 3 dropped
    since INTEGER NOT NULL  -- milliseconds since 1970, by the clock of the database
) WITHOUT ROWID;
CREATE INDEX content_leftover ON content (since) WHERE state <> 1;

-- How often each page of a paper was viewed on a day, and how many visits began. Days are in UTC, counted from 1970-01-01.
CREATE TABLE pageview (
    node  INTEGER NOT NULL REFERENCES node (id) ON DELETE CASCADE,
    day   INTEGER NOT NULL,
    page  INTEGER NOT NULL,
    views INTEGER NOT NULL,
    PRIMARY KEY (node, day, page)
) STRICT, WITHOUT ROWID;

CREATE TABLE visit (
    node   INTEGER NOT NULL REFERENCES node (id) ON DELETE CASCADE,
    day    INTEGER NOT NULL,
    visits INTEGER NOT NULL,
    PRIMARY KEY (node, day)
) STRICT, WITHOUT ROWID;

-- What changes took away. kind: 1 media file, 2 media directory, 3 paper or category, 4 PDF. thing is the id, and version the version
-- of what was there; parent, name and folded_name are its place. Small content is in data.
CREATE TABLE kept (
    id          INTEGER PRIMARY KEY AUTOINCREMENT,
    tenant      INTEGER NOT NULL REFERENCES tenant (id) ON DELETE CASCADE,
    kind        INTEGER NOT NULL CHECK (kind BETWEEN 1 AND 4),
    thing       INTEGER NOT NULL,
    parent      INTEGER NOT NULL,
    name        TEXT    NOT NULL,
    folded_name TEXT    NOT NULL,
    version     INTEGER NOT NULL,
    at          INTEGER NOT NULL,                                   -- seconds since 1970
    account     TEXT    NOT NULL,
    became      INTEGER,                                            -- NULL replaced, 0 deleted, or the file that it was moved over
    holds       INTEGER NOT NULL CHECK (holds IN (0, 1)),           -- 0: nothing to bring back, the row tells only that a file ended
    size        INTEGER NOT NULL,
    sha256      BLOB    CHECK (length(sha256) = 32),
    content     TEXT    NOT NULL,
    data        BLOB    NOT NULL,
    undone      INTEGER NOT NULL DEFAULT 0 CHECK (undone IN (0, 1)) -- 1 once how it was before has come back: what brings back all passes over the entry
) STRICT;
CREATE UNIQUE INDEX kept_content ON kept (content) WHERE content <> '';
CREATE INDEX kept_tenant ON kept (tenant);
CREATE INDEX kept_thing ON kept (thing, kind);
CREATE INDEX kept_ended ON kept (tenant, parent, folded_name) WHERE kind = 1 AND became = 0;

-- The log of changes: what of a tenant changed, in the order of the changes. kind: 0 an account (nobody is told of it), 1 node, 2 media
-- file, 3 media directory, 4 job, 5 setting, 6 entry of kept. thing is its id; of a job or setting the node's, and name the GUID or the
-- name of the setting. client is who made the change, if it wants not to be told of it. at is in seconds since 1970. The newest row of a
-- tenant is never removed. What is deleted with its tenant has no row. Rows for webhooks alone have kind 0 and as name published,
-- unpublished, or ordered with the id of the order.
CREATE TABLE event (
    number INTEGER PRIMARY KEY,
    tenant INTEGER NOT NULL REFERENCES tenant (id) ON DELETE CASCADE,
    kind   INTEGER NOT NULL CHECK (kind BETWEEN 0 AND 6),
    thing  INTEGER NOT NULL,
    name   TEXT    NOT NULL DEFAULT '',
    client TEXT    NOT NULL DEFAULT '',
    at     INTEGER NOT NULL DEFAULT (unixepoch())
) STRICT;
CREATE INDEX event_tenant ON event (tenant, number);

-- Addresses that are told of a tenant's events. events are words separated by commas. trusted: the host may have a private address and
-- no TLS. mark is a row of the log of changes: what came before it was sent, or is in webhook_event. place is empty in a copy, whose
-- marks begin at the end of its log.
CREATE TABLE webhook (
    id      INTEGER PRIMARY KEY AUTOINCREMENT,
    tenant  INTEGER NOT NULL REFERENCES tenant (id) ON DELETE CASCADE,
    url     TEXT    NOT NULL,
    secret  TEXT    NOT NULL,
    events  TEXT    NOT NULL,
    trusted INTEGER NOT NULL,
    place   TEXT    NOT NULL DEFAULT '',
    mark    INTEGER NOT NULL DEFAULT 0
) STRICT;
CREATE INDEX webhook_tenant ON webhook (tenant);

-- Events that were not sent yet because a try failed, or because an earlier one of the same node waits. number is that of the log. Times
-- are in seconds since 1970; since is of the first try (0: none), due of the next. What is aside is not sent, and nothing waits for it.
CREATE TABLE webhook_event (
    webhook INTEGER NOT NULL REFERENCES webhook (id) ON DELETE CASCADE,
    number  INTEGER NOT NULL,
    what    TEXT    NOT NULL,
    node    INTEGER NOT NULL,
    name    TEXT    NOT NULL,
    at      INTEGER NOT NULL,
    tries   INTEGER NOT NULL,
    since   INTEGER NOT NULL,
    due     INTEGER NOT NULL,
    aside   INTEGER NOT NULL,
    reason  TEXT    NOT NULL,
    PRIMARY KEY (webhook, number)
) STRICT, WITHOUT ROWID;
CREATE INDEX webhook_event_node ON webhook_event (webhook, node, number) WHERE aside = 0;

-- Who writes this database: a row for each process, with its first change. first is the number that its first row of the log of changes
-- could have. A mark names the newest run of its time, so a mark from after a state that was restored or copied names a run that is
-- not here, or a number from which a later run began. After a tenant is removed, its numbers may be given again.
CREATE TABLE run (
    number INTEGER PRIMARY KEY AUTOINCREMENT,
    id     TEXT    NOT NULL UNIQUE,
    first  INTEGER NOT NULL
) STRICT;

-- The papers and categories that readers do not see: those whose setting public is false, and what inherits it. A change of the setting or
-- of a place brings it up to date (package records); a new node begins as its parent is.
CREATE TABLE not_public (
    node INTEGER PRIMARY KEY REFERENCES node (id) ON DELETE CASCADE
) STRICT;

-- The papers that readers see, as far as the log of changes tells.
CREATE VIEW told_public AS SELECT n.id, n.tenant FROM node n JOIN tenant t ON t.id = n.tenant
    WHERE t.told IS NOT NULL AND (n.period_from IS NULL OR n.period_from <= t.told AND t.told < n.period_to)
        AND EXISTS (SELECT 1 FROM processing WHERE node = n.id) AND NOT EXISTS (SELECT 1 FROM not_public WHERE node = n.id);

-- A first run, and what has no tenant of its own.
INSERT INTO service VALUES (1, 0);
INSERT INTO run (id, first) VALUES (hex(randomblob(16)), 1);
-- The hidden tenant and its root: deleted papers and categories lie there. A deleted node has the address /ID; its name, parent and
-- address before are in its entry of kept, the last as folded_name.
INSERT INTO tenant (id, name, root_url, public_url, orders, tree_version) VALUES (0, '', '/', '', 0, random());
INSERT INTO node (id, tenant, parent, kind, name, folded_name, url_name) VALUES (0, 0, NULL, 1, '', '', '');

CREATE TRIGGER page_phrase_gone AFTER DELETE ON page_phrase BEGIN
    DELETE FROM page_index WHERE rowid = old.page; END;

-- Versions, usage, and editions.
CREATE TRIGGER media_dir_added AFTER INSERT ON media_dir BEGIN
    UPDATE tenant SET media_version = random() WHERE id = NEW.tenant; END;
CREATE TRIGGER media_dir_changed AFTER UPDATE ON media_dir BEGIN
    UPDATE tenant SET media_version = random() WHERE id = NEW.tenant; END;
CREATE TRIGGER media_dir_deleted AFTER DELETE ON media_dir BEGIN
    UPDATE tenant SET media_version = random() WHERE id = OLD.tenant; END;
CREATE TRIGGER node_added AFTER INSERT ON node BEGIN
    UPDATE tenant SET tree_version = random(), papers = papers + (NEW.kind = 2) WHERE id = NEW.tenant; END;
CREATE TRIGGER node_deleted AFTER DELETE ON node BEGIN
    UPDATE tenant SET tree_version = random(), papers = papers - (OLD.kind = 2) WHERE id = OLD.tenant; END;
CREATE TRIGGER media_file_added AFTER INSERT ON media_file BEGIN
    UPDATE tenant SET media_version = random(), media_bytes = media_bytes + NEW.size WHERE id = NEW.tenant; END;
CREATE TRIGGER media_file_changed AFTER UPDATE ON media_file BEGIN
    UPDATE tenant SET media_version = random(), media_bytes = media_bytes + NEW.size - OLD.size WHERE id = NEW.tenant; END;
CREATE TRIGGER media_file_deleted AFTER DELETE ON media_file BEGIN
    UPDATE tenant SET media_version = random(), media_bytes = media_bytes - OLD.size WHERE id = OLD.tenant; END;
CREATE TRIGGER media_file_linked AFTER INSERT ON media_file BEGIN
    UPDATE edition SET number = random() WHERE node IN (SELECT node FROM link WHERE link_type = 'file' AND CAST(file_id AS INTEGER) = NEW.id); END;
CREATE TRIGGER media_file_unlinked AFTER DELETE ON media_file BEGIN
    UPDATE edition SET number = random() WHERE node IN (SELECT node FROM link WHERE link_type = 'file' AND CAST(file_id AS INTEGER) = OLD.id); END;
CREATE TRIGGER edition_added AFTER INSERT ON edition BEGIN
    UPDATE tenant SET edition_version = random() WHERE id = (SELECT tenant FROM node WHERE id = NEW.node); END;
CREATE TRIGGER edition_changed AFTER UPDATE ON edition BEGIN
    UPDATE tenant SET edition_version = random() WHERE id = (SELECT tenant FROM node WHERE id = NEW.node); END;
CREATE TRIGGER media_file_renamed AFTER UPDATE OF name ON media_file WHEN NEW.name <> OLD.name BEGIN
    UPDATE edition SET number = random() WHERE node IN (SELECT node FROM link WHERE link_type = 'file' AND CAST(file_id AS INTEGER) = NEW.id); END;
CREATE TRIGGER node_changed AFTER UPDATE ON node BEGIN
    UPDATE tenant SET tree_version = random(), papers = papers + (NEW.kind = 2) * ((id = NEW.tenant) - (id = OLD.tenant)) WHERE id IN (NEW.tenant, OLD.tenant); END;

-- The log of changes.
CREATE TRIGGER event_node_added AFTER INSERT ON node BEGIN
    INSERT INTO event (tenant, kind, thing, name) SELECT NEW.tenant, 1, NEW.id, '' WHERE NEW.tenant <> 0; END;
CREATE TRIGGER event_node_changed AFTER UPDATE ON node BEGIN
    INSERT INTO event (tenant, kind, thing, name) SELECT NEW.tenant, 1, NEW.id, '' WHERE NEW.tenant <> 0; END;
CREATE TRIGGER event_node_deleted AFTER DELETE ON node BEGIN
    INSERT INTO event (tenant, kind, thing, name) SELECT OLD.tenant, 1, OLD.id, '' WHERE OLD.tenant <> 0 AND OLD.tenant IN (SELECT id FROM tenant); END;
CREATE TRIGGER event_media_file_added AFTER INSERT ON media_file BEGIN
    INSERT INTO event (tenant, kind, thing, name) SELECT NEW.tenant, 2, NEW.id, '' WHERE NEW.tenant <> 0; END;
CREATE TRIGGER event_media_file_changed AFTER UPDATE ON media_file WHEN NEW.version <> OLD.version BEGIN
    INSERT INTO event (tenant, kind, thing, name) SELECT NEW.tenant, 2, NEW.id, '' WHERE NEW.tenant <> 0; END;
CREATE TRIGGER event_media_file_deleted AFTER DELETE ON media_file BEGIN
    INSERT INTO event (tenant, kind, thing, name) SELECT OLD.tenant, 2, OLD.id, '' WHERE OLD.tenant <> 0 AND OLD.tenant IN (SELECT id FROM tenant); END;
CREATE TRIGGER event_media_dir_added AFTER INSERT ON media_dir BEGIN
    INSERT INTO event (tenant, kind, thing, name) SELECT NEW.tenant, 3, NEW.id, '' WHERE NEW.tenant <> 0; END;
CREATE TRIGGER event_media_dir_changed AFTER UPDATE ON media_dir WHEN NEW.version <> OLD.version BEGIN
    INSERT INTO event (tenant, kind, thing, name) SELECT NEW.tenant, 3, NEW.id, '' WHERE NEW.tenant <> 0; END;
CREATE TRIGGER event_media_dir_deleted AFTER DELETE ON media_dir BEGIN
    INSERT INTO event (tenant, kind, thing, name) SELECT OLD.tenant, 3, OLD.id, '' WHERE OLD.tenant <> 0 AND OLD.tenant IN (SELECT id FROM tenant); END;
CREATE TRIGGER event_kept_added AFTER INSERT ON kept BEGIN
    INSERT INTO event (tenant, kind, thing, name) SELECT NEW.tenant, 6, NEW.id, '' WHERE NEW.tenant <> 0; END;
CREATE TRIGGER event_kept_changed AFTER UPDATE ON kept WHEN NEW.holds <> OLD.holds BEGIN
    INSERT INTO event (tenant, kind, thing, name) SELECT NEW.tenant, 6, NEW.id, '' WHERE NEW.tenant <> 0; END;
CREATE TRIGGER event_kept_deleted AFTER DELETE ON kept BEGIN
    INSERT INTO event (tenant, kind, thing, name) SELECT OLD.tenant, 6, OLD.id, '' WHERE OLD.tenant <> 0 AND OLD.tenant IN (SELECT id FROM tenant); END;
CREATE TRIGGER event_node_left AFTER UPDATE ON node WHEN NEW.tenant <> OLD.tenant BEGIN
    INSERT INTO event (tenant, kind, thing, name) SELECT OLD.tenant, 1, OLD.id, '' WHERE OLD.tenant <> 0; END;
CREATE TRIGGER event_setting_added AFTER INSERT ON setting BEGIN
    INSERT INTO event (tenant, kind, thing, name) SELECT tenant, 5, id, NEW.name FROM node WHERE id = NEW.node AND tenant <> 0; END;
CREATE TRIGGER event_setting_changed AFTER UPDATE ON setting BEGIN
    INSERT INTO event (tenant, kind, thing, name) SELECT tenant, 5, id, NEW.name FROM node WHERE id = NEW.node AND tenant <> 0; END;
CREATE TRIGGER event_setting_deleted AFTER DELETE ON setting BEGIN
    INSERT INTO event (tenant, kind, thing, name) SELECT tenant, 5, id, OLD.name FROM node WHERE id = OLD.node AND tenant <> 0; END;
CREATE TRIGGER event_edition_added AFTER INSERT ON edition BEGIN
    INSERT INTO event (tenant, kind, thing, name) SELECT tenant, 1, id, '' FROM node WHERE id = NEW.node AND tenant <> 0; END;
CREATE TRIGGER event_edition_changed AFTER UPDATE ON edition BEGIN
    INSERT INTO event (tenant, kind, thing, name) SELECT tenant, 1, id, '' FROM node WHERE id = NEW.node AND tenant <> 0; END;
CREATE TRIGGER event_job_added AFTER INSERT ON job BEGIN
    INSERT INTO event (tenant, kind, thing, name) VALUES (NEW.tenant, 4, NEW.node, NEW.guid); END;
CREATE TRIGGER event_job_changed AFTER UPDATE ON job WHEN NEW.status <> OLD.status BEGIN
    INSERT INTO event (tenant, kind, thing, name) VALUES (NEW.tenant, 4, NEW.node, NEW.guid); END;
CREATE TRIGGER event_account_changed AFTER UPDATE ON account BEGIN
    INSERT INTO event (tenant, kind, thing, name) SELECT id, 0, NEW.id, '' FROM tenant WHERE id = NEW.tenant; END;
CREATE TRIGGER event_account_deleted AFTER DELETE ON account BEGIN
    INSERT INTO event (tenant, kind, thing, name) SELECT id, 0, OLD.id, '' FROM tenant WHERE id = OLD.tenant; END;
CREATE TRIGGER event_ordered AFTER INSERT ON purchase BEGIN
    INSERT INTO event (tenant, kind, thing, name) SELECT id, 0, NEW.node, 'ordered ' || NEW.order_id FROM tenant WHERE id = NEW.tenant AND told IS NOT NULL; END;

CREATE TRIGGER run_tenant_deleted AFTER DELETE ON tenant BEGIN
    INSERT INTO run (id, first) SELECT hex(randomblob(16)), coalesce(max(number), 0) + 1 FROM event; END;
CREATE TRIGGER not_public_added AFTER INSERT ON node WHEN EXISTS (SELECT 1 FROM not_public WHERE node = NEW.parent) BEGIN
    INSERT INTO not_public (node) VALUES (NEW.id); END;
CREATE TRIGGER event_unpublished BEFORE UPDATE ON node WHEN OLD.tenant <> NEW.tenant OR OLD.period_from IS NOT NEW.period_from OR OLD.period_to IS NOT NEW.period_to BEGIN
    INSERT INTO event (tenant, kind, thing, name) SELECT p.tenant, 0, p.id, 'unpublished' FROM told_public p JOIN tenant t ON t.id = p.tenant
        WHERE p.id = OLD.id AND NOT (NEW.tenant = OLD.tenant AND (NEW.period_from IS NULL OR NEW.period_from <= t.told AND t.told < NEW.period_to)); END;
CREATE TRIGGER event_published AFTER UPDATE ON node WHEN OLD.tenant <> NEW.tenant OR OLD.period_from IS NOT NEW.period_from OR OLD.period_to IS NOT NEW.period_to BEGIN
    INSERT INTO event (tenant, kind, thing, name) SELECT p.tenant, 0, p.id, 'published' FROM told_public p JOIN tenant t ON t.id = p.tenant
        WHERE p.id = NEW.id AND NOT (NEW.tenant = OLD.tenant AND (OLD.period_from IS NULL OR OLD.period_from <= t.told AND t.told < OLD.period_to)); END;
CREATE TRIGGER event_unpublished_gone BEFORE DELETE ON node BEGIN
    INSERT INTO event (tenant, kind, thing, name) SELECT tenant, 0, id, 'unpublished' FROM told_public WHERE id = OLD.id; END;
CREATE TRIGGER event_published_first AFTER INSERT ON processing BEGIN
    INSERT INTO event (tenant, kind, thing, name) SELECT tenant, 0, id, 'published' FROM told_public WHERE id = NEW.node; END;
CREATE TRIGGER event_not_public BEFORE INSERT ON not_public BEGIN
    INSERT INTO event (tenant, kind, thing, name) SELECT tenant, 0, id, 'unpublished' FROM told_public WHERE id = NEW.node; END;
CREATE TRIGGER event_public_again AFTER DELETE ON not_public BEGIN
    INSERT INTO event (tenant, kind, thing, name) SELECT tenant, 0, id, 'published' FROM told_public WHERE id = OLD.node; END;
