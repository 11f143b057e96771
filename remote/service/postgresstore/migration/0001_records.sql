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
    media_version     bigint  NOT NULL
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
    period_to   bigint
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
    images   text   COLLATE "C" NOT NULL UNIQUE
);

-- A random number that is replaced whenever the pages of a paper change, its links, or the media
-- files that the links lead to. No record: the paper never had a page or link.
CREATE TABLE edition (
    node   bigint PRIMARY KEY REFERENCES node (id) ON DELETE CASCADE,
    number bigint NOT NULL
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
    lease    timestamptz NOT NULL DEFAULT '-infinity'
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
