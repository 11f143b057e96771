-- +goose Up

-- Ids are never reused: a sequence does not go back, even if the change that used it is undone.
-- They are bigint, so that queries may use any number; the sequences of ids that clients see end
-- at 2147483647.
--
-- Names that are compared or sorted are COLLATE "C": their order is that of the bytes, and
-- lower() affects only ASCII. Times are seconds since 1970.

CREATE EXTENSION IF NOT EXISTS pg_trgm;

CREATE TABLE service (
    id        integer PRIMARY KEY CHECK (id = 1),
    read_only boolean NOT NULL
);
INSERT INTO service VALUES (1, false);

-- A version is a random number that each change replaces once. The counts are updated together
-- with it.
CREATE TABLE tenant (
    id                bigint  GENERATED ALWAYS AS IDENTITY (MAXVALUE 2147483647) PRIMARY KEY,
    name              text    COLLATE "C" NOT NULL UNIQUE,
    root_url          text    NOT NULL,
    public_url        text    NOT NULL,
    processings       bigint,
    orders            boolean NOT NULL,
    quota_media_bytes bigint,
    quota_papers      bigint,
    quota_pdf_minutes bigint,
    media_bytes       bigint  NOT NULL DEFAULT 0,
    papers            bigint  NOT NULL DEFAULT 0,
    tree_version      bigint  NOT NULL,
    media_version     bigint  NOT NULL,
    edition_version   bigint  NOT NULL DEFAULT 0, -- replaced whenever the edition of a paper changes
    keep_days         bigint, -- for how many days what is taken away is kept; NULL, like keep_bytes: the default
    keep_bytes        bigint, -- how much of it at most
    told              bigint -- up to when the log has the periods that began and ended; NULL: there is no webhook
);

CREATE TABLE tenant_host (
    host   text   COLLATE "C" PRIMARY KEY,
    tenant bigint NOT NULL REFERENCES tenant (id) ON DELETE CASCADE
);
CREATE INDEX tenant_host_tenant ON tenant_host (tenant);

CREATE TABLE account (
    id            bigint   GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    tenant        bigint   NOT NULL REFERENCES tenant (id) ON DELETE CASCADE,
    name          text     COLLATE "C" NOT NULL,
    key_hash      bytea    NOT NULL CHECK (length(key_hash) = 32),
    role          smallint NOT NULL,
    old_key_hash  bytea    CHECK (length(old_key_hash) = 32),
    old_key_until bigint,
    UNIQUE (tenant, name)
);

-- The run of PostgreSQL. A crash empties the table, and after a failover it is empty on the
-- standby: then the numbers of lost transactions are reused.
CREATE UNLOGGED TABLE run (
    sole boolean PRIMARY KEY DEFAULT true CHECK (sole),
    id   uuid    NOT NULL DEFAULT gen_random_uuid()
);

-- An account may make as many requests per minute as it has slots: each slot can be taken once a
-- minute. An account without a limit has no slots. A crash frees all slots.
CREATE UNLOGGED TABLE request_slot (
    account bigint      NOT NULL REFERENCES account (id) ON DELETE CASCADE,
    slot    integer     NOT NULL,
    taken   timestamptz NOT NULL,
    PRIMARY KEY (account, slot)
) WITH (fillfactor = 50);
CREATE INDEX request_slot_taken ON request_slot (account, taken);

CREATE TABLE pdf_time (
    tenant bigint NOT NULL REFERENCES tenant (id) ON DELETE CASCADE,
    month  text   COLLATE "C" NOT NULL, -- 2031-05, UTC
    ms     bigint NOT NULL,
    PRIMARY KEY (tenant, month)
);

-- kind: 1 category, 2 paper. The root of a tenant has no parent and an empty url name. Url names
-- are ASCII.
CREATE TABLE node (
    id          bigint   GENERATED ALWAYS AS IDENTITY (MAXVALUE 2147483647) PRIMARY KEY,
    tenant      bigint   NOT NULL REFERENCES tenant (id),
    parent      bigint   REFERENCES node (id),
    kind        smallint NOT NULL CHECK (kind IN (1, 2)),
    name        text     NOT NULL,
    folded_name text     COLLATE "C" NOT NULL,
    url_name    text     COLLATE "C" NOT NULL,
    period_from bigint,
    period_to   bigint,
    version     bigint   NOT NULL DEFAULT (random() * 9007199254740991)::bigint -- a random number that each change of the row replaces, never negative
);
CREATE UNIQUE INDEX node_address ON node (parent, lower(url_name));
CREATE UNIQUE INDEX node_root ON node (tenant) WHERE parent IS NULL;
CREATE INDEX node_tenant ON node (tenant, kind);
CREATE INDEX node_order ON node (parent, kind, folded_name, id);

CREATE TABLE setting (
    node  bigint NOT NULL REFERENCES node (id) ON DELETE CASCADE,
    name  text   COLLATE "C" NOT NULL,
    value text   NOT NULL,
    PRIMARY KEY (node, name)
);

CREATE TABLE preview_token (
    token   text   COLLATE "C" PRIMARY KEY,
    node    bigint NOT NULL REFERENCES node (id) ON DELETE CASCADE,
    expires bigint NOT NULL,
    ip      text   NOT NULL
);
CREATE INDEX preview_token_node ON preview_token (node);
CREATE INDEX preview_token_expires ON preview_token (expires);

-- Contents that are stored elsewhere: see store.Ledger.
CREATE TABLE content (
    key   text        COLLATE "C" PRIMARY KEY,
    state text        COLLATE "C" NOT NULL CHECK (state IN ('intended', 'kept', 'given up', 'dropped')),
    since timestamptz NOT NULL
);
CREATE INDEX content_leftover ON content (since) WHERE state <> 'kept';

-- parent and dir are 0 for the root of the library, which has no record.
CREATE TABLE media_dir (
    id          bigint GENERATED ALWAYS AS IDENTITY (MAXVALUE 2147483647) PRIMARY KEY,
    tenant      bigint NOT NULL REFERENCES tenant (id),
    parent      bigint NOT NULL,
    name        text   NOT NULL,
    folded_name text   COLLATE "C" NOT NULL,
    version     bigint NOT NULL DEFAULT (random() * 9007199254740991)::bigint, -- as that of a node
    UNIQUE (tenant, parent, folded_name)
);

-- content is empty if the content is small: then it is in media_content.
CREATE TABLE media_file (
    id          bigint GENERATED ALWAYS AS IDENTITY (MAXVALUE 2147483647) PRIMARY KEY,
    tenant      bigint NOT NULL REFERENCES tenant (id),
    dir         bigint NOT NULL,
    name        text   NOT NULL,
    folded_name text   COLLATE "C" NOT NULL,
    size        bigint NOT NULL,
    sha256      bytea  NOT NULL CHECK (length(sha256) = 32),
    content     text   COLLATE "C" NOT NULL,
    version     bigint NOT NULL DEFAULT (random() * 9007199254740991)::bigint, -- as that of a node
    UNIQUE (tenant, dir, folded_name)
);
CREATE UNIQUE INDEX media_file_content ON media_file (content) WHERE content <> '';

CREATE TABLE media_content (
    file bigint PRIMARY KEY REFERENCES media_file (id) ON DELETE CASCADE,
    data bytea  NOT NULL
);

CREATE TABLE page (
    id            bigint  GENERATED BY DEFAULT AS IDENTITY (MAXVALUE 2147483647) PRIMARY KEY,
    node          bigint  NOT NULL REFERENCES node (id) ON DELETE CASCADE,
    number        integer NOT NULL CHECK (number > 0),
    part_of_index boolean NOT NULL,
    text          text    NOT NULL,
    title         text    NOT NULL,
    UNIQUE (node, number)
);

-- The text of a page, normalized for comparison with queries.
CREATE TABLE page_phrase (
    page   bigint PRIMARY KEY REFERENCES page (id) ON DELETE CASCADE,
    phrase text   NOT NULL
);
CREATE INDEX page_phrase_trigrams ON page_phrase USING gin (phrase gin_trgm_ops);

CREATE TABLE page_layer (
    page  bigint PRIMARY KEY REFERENCES page (id) ON DELETE CASCADE,
    layer bytea  NOT NULL
);

-- type: 1 Zoom, 2 Normal, 3 Thumb. If bytes is not 0, the image is in the images of the paper's
-- rendition, from start on; otherwise it is at a URL outside the service.
CREATE TABLE image (
    page    bigint   NOT NULL REFERENCES page (id) ON DELETE CASCADE,
    type    smallint NOT NULL CHECK (type IN (1, 2, 3)),
    size_kb bigint   NOT NULL,
    url     text     NOT NULL,
    start   bigint   NOT NULL,
    bytes   bigint   NOT NULL,
    width   bigint   NOT NULL,
    height  bigint   NOT NULL,
    PRIMARY KEY (page, type)
);

CREATE TABLE processing (
    node   bigint PRIMARY KEY REFERENCES node (id) ON DELETE CASCADE,
    at     bigint NOT NULL,
    pdf_kb bigint NOT NULL
);

CREATE TABLE rendition (
    node     bigint PRIMARY KEY REFERENCES node (id) ON DELETE CASCADE,
    pdf      text   COLLATE "C" NOT NULL UNIQUE,
    pdf_size bigint NOT NULL,
    images   text   COLLATE "C" NOT NULL UNIQUE,
    wishes   text   NOT NULL DEFAULT '' -- how the PDF asks to be shown, as JSON; replaced with the PDF
);

-- A random number that is replaced whenever the pages of a paper change, its links, or the media
-- files that the links lead to. No record: the paper never had a page or link.
CREATE TABLE edition (
    node     bigint PRIMARY KEY REFERENCES node (id) ON DELETE CASCADE,
    number   bigint NOT NULL,
    accepted bytea, -- SHA-256 of the last PDF that was accepted for the paper, with its options; NULL if none was
    size     bigint, -- its bytes
    job      text   COLLATE "C" -- its job
);

-- file is the id of the media file that a link leads to, even if that does not exist.
CREATE TABLE link (
    node           bigint           NOT NULL REFERENCES node (id) ON DELETE CASCADE,
    ordinal        bigint           NOT NULL,
    page           bigint           NOT NULL,
    x              double precision NOT NULL,
    y              double precision NOT NULL,
    width          double precision NOT NULL,
    height         double precision NOT NULL,
    alt_text       text             NOT NULL,
    url            text             NOT NULL,
    style_name     text             NOT NULL,
    shape_type     text             NOT NULL,
    polygon_coords text             NOT NULL,
    link_type      text             NOT NULL,
    file_id        text             NOT NULL,
    target         text             NOT NULL,
    use_mask       boolean          NOT NULL,
    param          text             NOT NULL,
    imported       boolean          NOT NULL,
    file           bigint,
    PRIMARY KEY (node, ordinal)
);
CREATE INDEX link_file ON link (file) WHERE file IS NOT NULL;

-- Orders and jobs do not reference node: they outlive their paper, whose id is never reused.
CREATE TABLE purchase (
    id            bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    tenant        bigint NOT NULL REFERENCES tenant (id),
    order_id      text   COLLATE "C" NOT NULL,
    node          bigint NOT NULL,
    date          bigint NOT NULL,
    checkout_type text   COLLATE "C" NOT NULL,
    key           text   COLLATE "C", -- of an order that was placed with the reader
    UNIQUE (tenant, order_id)
);
CREATE UNIQUE INDEX purchase_key ON purchase (node, key) WHERE key IS NOT NULL;
CREATE INDEX purchase_node ON purchase (node, date);
CREATE INDEX purchase_date ON purchase (tenant, date);

CREATE TABLE purchase_line (
    purchase    bigint NOT NULL REFERENCES purchase (id) ON DELETE CASCADE,
    ordinal     bigint NOT NULL,
    product_id  text   NOT NULL,
    name        text   NOT NULL,
    description text   NOT NULL,
    price       text   NOT NULL,
    amount      bigint NOT NULL,
    PRIMARY KEY (purchase, ordinal)
);

-- How often each page of a paper was viewed on a day, and how many visits began. Days are in UTC,
-- counted from 1970-01-01.
CREATE TABLE pageview (
    node  bigint NOT NULL REFERENCES node (id) ON DELETE CASCADE,
    day   bigint NOT NULL,
    page  bigint NOT NULL,
    views bigint NOT NULL,
    PRIMARY KEY (node, day, page)
);
CREATE TABLE visit (
    node   bigint NOT NULL REFERENCES node (id) ON DELETE CASCADE,
    day    bigint NOT NULL,
    visits bigint NOT NULL,
    PRIMARY KEY (node, day)
);

CREATE TABLE job (
    guid     text    COLLATE "C" PRIMARY KEY,
    tenant   bigint  NOT NULL REFERENCES tenant (id),
    node     bigint  NOT NULL,
    created  bigint  NOT NULL,
    progress integer NOT NULL CHECK (progress BETWEEN 0 AND 100),
    status   text    COLLATE "C" NOT NULL,
    reason   text    NOT NULL
);
CREATE UNIQUE INDEX job_pending ON job (node) WHERE status = 'Pending';
CREATE INDEX job_tenant ON job (tenant, status);

-- The work of a pending job. The worker records its progress here, so that it never waits for a
-- change of the job.
CREATE TABLE job_work (
    id       bigint      GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    job      text        COLLATE "C" NOT NULL UNIQUE REFERENCES job (guid) ON DELETE CASCADE,
    tenant   bigint      NOT NULL,
    pdf      text        COLLATE "C" NOT NULL,
    pdf_size bigint      NOT NULL,
    options  text        NOT NULL,
    attempts integer     NOT NULL,
    progress integer     CHECK (progress BETWEEN 0 AND 100),
    owner    text        COLLATE "C" NOT NULL DEFAULT '',
    lease    timestamptz NOT NULL DEFAULT '-infinity',
    account  text        NOT NULL DEFAULT '' -- that sent the PDF: what the PDF replaces is kept as taken away by it
);
CREATE INDEX job_work_pdf ON job_work (pdf);
CREATE INDEX job_work_owner ON job_work (owner) WHERE owner <> '';

-- The milliseconds of PDF processing that each tenant used, raised when others have used much
-- more. It is not a column of tenant, so that taking a turn never waits for a change of the
-- tenant.
CREATE TABLE pdf_turn (
    tenant bigint PRIMARY KEY REFERENCES tenant (id) ON DELETE CASCADE,
    turn   bigint NOT NULL
);

CREATE TABLE custom_field (
    id          bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    tenant      bigint NOT NULL REFERENCES tenant (id),
    name        text   NOT NULL,
    folded_name text   COLLATE "C" NOT NULL,
    type        text   NOT NULL,
    UNIQUE (tenant, folded_name)
);

-- No record means null.
CREATE TABLE custom_value (
    field bigint NOT NULL REFERENCES custom_field (id) ON DELETE CASCADE,
    node  bigint NOT NULL REFERENCES node (id) ON DELETE CASCADE,
    value text   NOT NULL,
    PRIMARY KEY (field, node)
);
CREATE INDEX custom_value_node ON custom_value (node);

CREATE TABLE secret (
    name  text  COLLATE "C" PRIMARY KEY,
    value bytea NOT NULL
);

-- What changes took away. kind: 1 media file, 2 media directory, 3 paper or category, 4 PDF. thing is
-- the id, and version the version of what was there; parent, name and folded_name are its place.
-- became: NULL replaced, 0 deleted, or the file that it was moved over. Small content is in data. holds
-- is 0 where there is nothing to bring back: the row tells only that a file ended. at is in seconds since
-- 1970.
CREATE TABLE kept (
    id          bigint   GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    tenant      bigint   NOT NULL REFERENCES tenant (id) ON DELETE CASCADE,
    kind        smallint NOT NULL CHECK (kind BETWEEN 1 AND 4),
    thing       bigint   NOT NULL,
    parent      bigint   NOT NULL,
    name        text     NOT NULL,
    folded_name text     COLLATE "C" NOT NULL,
    version     bigint   NOT NULL,
    at          bigint   NOT NULL,
    account     text     NOT NULL,
    became      bigint,
    holds       smallint NOT NULL CHECK (holds IN (0, 1)),
    size        bigint   NOT NULL,
    sha256      bytea    CHECK (length(sha256) = 32),
    content     text     COLLATE "C" NOT NULL,
    data        bytea    NOT NULL,
    undone      smallint NOT NULL DEFAULT 0 CHECK (undone IN (0, 1)) -- 1 once how it was before has come back: what brings back all passes over the entry
);
CREATE UNIQUE INDEX kept_content ON kept (content) WHERE content <> '';
CREATE INDEX kept_tenant ON kept (tenant, id);
CREATE INDEX kept_thing ON kept (thing, kind);
CREATE INDEX kept_ended ON kept (tenant, parent, folded_name) WHERE kind = 1 AND became = 0;

-- A change gives its row another version, unless it brings one. Content that is stored again, in the place of what may be damaged,
-- is no other version.
-- +goose StatementBegin
CREATE FUNCTION new_version() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    NEW.version := (random() * 9007199254740991)::bigint;
    RETURN NEW;
END $$;
-- +goose StatementEnd
CREATE TRIGGER new_version BEFORE UPDATE ON node FOR EACH ROW WHEN (NEW.version = OLD.version) EXECUTE FUNCTION new_version();
CREATE TRIGGER new_version BEFORE UPDATE ON media_dir FOR EACH ROW WHEN (NEW.version = OLD.version) EXECUTE FUNCTION new_version();
CREATE TRIGGER new_version BEFORE UPDATE ON media_file FOR EACH ROW
    WHEN (NEW.version = OLD.version AND (NEW.dir, NEW.name, NEW.size, NEW.sha256) IS DISTINCT FROM (OLD.dir, OLD.name, OLD.size, OLD.sha256)) EXECUTE FUNCTION new_version();

-- The hidden tenant and its root: deleted papers and categories lie there. A deleted node has the
-- address /ID; its name, parent and address before are in its entry of kept, the last as folded_name.
INSERT INTO tenant (id, name, root_url, public_url, orders, tree_version, media_version) OVERRIDING SYSTEM VALUE VALUES (0, '', '/', '', false, 0, 0);
INSERT INTO node (id, tenant, parent, kind, name, folded_name, url_name) OVERRIDING SYSTEM VALUE VALUES (0, 0, NULL, 1, '', '', '');

-- The log of changes: what of a tenant changed, in the order of the changes. kind: 0 an account (nobody is told of
-- it), 1 node, 2 media file, 3 media directory, 4 job, 5 setting, 6 entry of kept. thing is its id; of a job or
-- setting the node's, and name the GUID or the name of the setting. client is who made the change, if it wants not
-- to be told of it. at is in seconds since 1970. The newest row of a tenant is never removed. The numbers of a
-- tenant grow in the order of the commits, since a change holds the lock of its tenant.
CREATE TABLE event (
    number bigint   GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    tenant bigint   NOT NULL REFERENCES tenant (id) ON DELETE CASCADE,
    kind   smallint NOT NULL CHECK (kind BETWEEN 0 AND 6),
    thing  bigint   NOT NULL,
    name   text     COLLATE "C" NOT NULL DEFAULT '',
    client text     COLLATE "C" NOT NULL DEFAULT '',
    at     bigint   NOT NULL DEFAULT extract(epoch FROM clock_timestamp())::bigint
);
CREATE INDEX event_tenant ON event (tenant, number);

-- A row that belongs to a tenant; the argument is the kind. What leaves a tenant changes for it, too;
-- what is deleted with its tenant has no row.
-- +goose StatementBegin
CREATE FUNCTION event_row() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    IF TG_OP <> 'INSERT' AND OLD.tenant <> 0 AND (TG_OP = 'DELETE' OR OLD.tenant <> NEW.tenant) THEN
        INSERT INTO event (tenant, kind, thing) SELECT id, TG_ARGV[0]::smallint, OLD.id FROM tenant WHERE id = OLD.tenant;
    END IF;
    IF TG_OP <> 'DELETE' AND NEW.tenant <> 0 THEN
        INSERT INTO event (tenant, kind, thing) VALUES (NEW.tenant, TG_ARGV[0]::smallint, NEW.id);
    END IF;
    RETURN NULL;
END $$;
-- +goose StatementEnd
CREATE TRIGGER event_row AFTER INSERT OR UPDATE OR DELETE ON node FOR EACH ROW EXECUTE FUNCTION event_row(1);
CREATE TRIGGER event_row AFTER INSERT OR DELETE ON media_file FOR EACH ROW EXECUTE FUNCTION event_row(2);
CREATE TRIGGER event_change AFTER UPDATE ON media_file FOR EACH ROW WHEN (NEW.version <> OLD.version) EXECUTE FUNCTION event_row(2);
CREATE TRIGGER event_row AFTER INSERT OR DELETE ON media_dir FOR EACH ROW EXECUTE FUNCTION event_row(3);
CREATE TRIGGER event_change AFTER UPDATE ON media_dir FOR EACH ROW WHEN (NEW.version <> OLD.version) EXECUTE FUNCTION event_row(3);
CREATE TRIGGER event_row AFTER INSERT OR DELETE ON kept FOR EACH ROW EXECUTE FUNCTION event_row(6);
CREATE TRIGGER event_change AFTER UPDATE ON kept FOR EACH ROW WHEN (NEW.holds <> OLD.holds) EXECUTE FUNCTION event_row(6);

-- What belongs to a node.
-- +goose StatementBegin
CREATE FUNCTION event_setting() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    INSERT INTO event (tenant, kind, thing, name)
        SELECT tenant, 5, id, coalesce(NEW.name, OLD.name) FROM node WHERE id = coalesce(NEW.node, OLD.node) AND tenant <> 0;
    RETURN NULL;
END $$;
-- +goose StatementEnd
CREATE TRIGGER event_setting AFTER INSERT OR UPDATE OR DELETE ON setting FOR EACH ROW EXECUTE FUNCTION event_setting();
-- +goose StatementBegin
CREATE FUNCTION event_edition() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    INSERT INTO event (tenant, kind, thing) SELECT tenant, 1, id FROM node WHERE id = NEW.node AND tenant <> 0;
    RETURN NULL;
END $$;
-- +goose StatementEnd
CREATE TRIGGER event_edition AFTER INSERT OR UPDATE ON edition FOR EACH ROW EXECUTE FUNCTION event_edition();
-- +goose StatementBegin
CREATE FUNCTION event_job() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    INSERT INTO event (tenant, kind, thing, name) VALUES (NEW.tenant, 4, NEW.node, NEW.guid);
    RETURN NULL;
END $$;
-- +goose StatementEnd
CREATE TRIGGER event_job AFTER INSERT ON job FOR EACH ROW EXECUTE FUNCTION event_job();
CREATE TRIGGER event_change AFTER UPDATE ON job FOR EACH ROW WHEN (NEW.status <> OLD.status) EXECUTE FUNCTION event_job();
-- +goose StatementBegin
CREATE FUNCTION event_account() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    INSERT INTO event (tenant, kind, thing) SELECT id, 0, OLD.id FROM tenant WHERE id = OLD.tenant;
    RETURN NULL;
END $$;
-- +goose StatementEnd
CREATE TRIGGER event_account AFTER UPDATE OR DELETE ON account FOR EACH ROW EXECUTE FUNCTION event_account();

-- The papers and categories that readers do not see: those whose setting public is false, and what inherits it. A change of the
-- setting or of a place brings it up to date (package records); a new node begins as its parent is.
CREATE TABLE not_public (
    node bigint PRIMARY KEY REFERENCES node (id) ON DELETE CASCADE
);
-- +goose StatementBegin
CREATE FUNCTION not_public_added() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    INSERT INTO not_public (node) SELECT NEW.id FROM not_public WHERE node = NEW.parent;
    RETURN NULL;
END $$;
-- +goose StatementEnd
CREATE TRIGGER not_public_added AFTER INSERT ON node FOR EACH ROW EXECUTE FUNCTION not_public_added();

-- Addresses that are told of a tenant's events. events are words separated by commas. trusted: the host may have a
-- private address and no TLS. mark is a row of the log of changes: what came before it was sent, or is in
-- webhook_event. place names that log; where it is another one, the mark begins at the log's end.
CREATE TABLE webhook (
    id      bigint  GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    tenant  bigint  NOT NULL REFERENCES tenant (id) ON DELETE CASCADE,
    url     text    COLLATE "C" NOT NULL,
    secret  text    COLLATE "C" NOT NULL,
    events  text    COLLATE "C" NOT NULL,
    trusted boolean NOT NULL,
    place   text    COLLATE "C" NOT NULL DEFAULT '',
    mark    bigint  NOT NULL DEFAULT 0
);
CREATE INDEX webhook_tenant ON webhook (tenant);

-- Events that were not sent yet because a try failed, or because an earlier one of the same node waits. number is
-- that of the log. Times are in seconds since 1970; since is of the first try (0: none), due of the next. What is
-- aside is not sent, and nothing waits for it.
CREATE TABLE webhook_event (
    webhook bigint NOT NULL REFERENCES webhook (id) ON DELETE CASCADE,
    number  bigint NOT NULL,
    what    text   COLLATE "C" NOT NULL,
    node    bigint NOT NULL,
    name    text   COLLATE "C" NOT NULL,
    at      bigint NOT NULL,
    tries   bigint NOT NULL,
    since   bigint NOT NULL,
    due     bigint NOT NULL,
    aside   bigint NOT NULL,
    reason  text   COLLATE "C" NOT NULL,
    PRIMARY KEY (webhook, number)
);
CREATE INDEX webhook_event_node ON webhook_event (webhook, node, number) WHERE aside = 0;

-- Which node sends for a webhook, and until when. These are no columns of webhook, so that a claim never waits for a
-- change of the tenant.
CREATE TABLE webhook_sender (
    webhook bigint PRIMARY KEY REFERENCES webhook (id) ON DELETE CASCADE,
    owner   text   COLLATE "C" NOT NULL,
    lease   timestamptz NOT NULL
);

-- A paper that has a PDF is published, as far as the log tells, if its period has the time tenant.told. Rows of the log for webhooks alone have kind 0
-- and as name published, unpublished, or ordered with the id of the order.
CREATE INDEX node_from ON node (tenant, period_from) WHERE period_from IS NOT NULL;
CREATE INDEX node_to ON node (tenant, period_to) WHERE period_to IS NOT NULL;
-- +goose StatementBegin
CREATE FUNCTION told_published(tenant bigint, paper bigint, period_from bigint, period_to bigint) RETURNS boolean LANGUAGE sql STABLE AS $$
    SELECT EXISTS (SELECT 1 FROM tenant t WHERE t.id = $1 AND t.told IS NOT NULL AND ($3 IS NULL OR $3 <= t.told AND t.told < $4))
        AND EXISTS (SELECT 1 FROM processing WHERE node = $2) AND NOT EXISTS (SELECT 1 FROM not_public WHERE node = $2)
$$;
-- +goose StatementEnd
-- +goose StatementBegin
CREATE FUNCTION event_period() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
    before boolean := told_published(OLD.tenant, OLD.id, OLD.period_from, OLD.period_to);
    after  boolean := false;
BEGIN
    IF TG_OP = 'UPDATE' THEN
        after := told_published(NEW.tenant, NEW.id, NEW.period_from, NEW.period_to);
    END IF;
    IF before AND NOT (after AND NEW.tenant = OLD.tenant) THEN
        INSERT INTO event (tenant, kind, thing, name) VALUES (OLD.tenant, 0, OLD.id, 'unpublished');
    END IF;
    IF after AND NOT (before AND NEW.tenant = OLD.tenant) THEN
        INSERT INTO event (tenant, kind, thing, name) VALUES (NEW.tenant, 0, NEW.id, 'published');
    END IF;
    IF TG_OP = 'DELETE' THEN
        RETURN OLD;
    END IF;
    RETURN NULL;
END $$;
-- +goose StatementEnd
CREATE TRIGGER event_period AFTER UPDATE ON node FOR EACH ROW
    WHEN (OLD.tenant <> NEW.tenant OR OLD.period_from IS DISTINCT FROM NEW.period_from OR OLD.period_to IS DISTINCT FROM NEW.period_to) EXECUTE FUNCTION event_period();
CREATE TRIGGER event_period_gone BEFORE DELETE ON node FOR EACH ROW EXECUTE FUNCTION event_period();
-- +goose StatementBegin
CREATE FUNCTION event_first() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    INSERT INTO event (tenant, kind, thing, name)
        SELECT tenant, 0, id, 'published' FROM node WHERE id = NEW.node AND told_published(tenant, id, period_from, period_to);
    RETURN NULL;
END $$;
-- +goose StatementEnd
CREATE TRIGGER event_first AFTER INSERT ON processing FOR EACH ROW EXECUTE FUNCTION event_first();
-- +goose StatementBegin
CREATE FUNCTION event_ordered() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    INSERT INTO event (tenant, kind, thing, name) SELECT id, 0, NEW.node, 'ordered ' || NEW.order_id FROM tenant WHERE id = NEW.tenant AND told IS NOT NULL;
    RETURN NULL;
END $$;
-- +goose StatementEnd
CREATE TRIGGER event_ordered AFTER INSERT ON purchase FOR EACH ROW EXECUTE FUNCTION event_ordered();

-- +goose StatementBegin
CREATE FUNCTION event_not_public() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    INSERT INTO event (tenant, kind, thing, name)
        SELECT tenant, 0, id, TG_ARGV[0] FROM node WHERE id = coalesce(NEW.node, OLD.node) AND told_published(tenant, id, period_from, period_to);
    RETURN NEW;
END $$;
-- +goose StatementEnd
CREATE TRIGGER event_not_public BEFORE INSERT ON not_public FOR EACH ROW EXECUTE FUNCTION event_not_public('unpublished');
CREATE TRIGGER event_public_again AFTER DELETE ON not_public FOR EACH ROW EXECUTE FUNCTION event_not_public('published');
