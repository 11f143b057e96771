-- +goose Up

-- How often the links of a page were followed on a day, by what people call the target.
CREATE TABLE click (
    node   bigint NOT NULL REFERENCES node (id) ON DELETE CASCADE,
    day    bigint NOT NULL,
    page   bigint NOT NULL,
    target text   COLLATE "C" NOT NULL,
    clicks bigint NOT NULL,
    PRIMARY KEY (node, day, page, target)
);
