/** Creates the tables of rollups: the buckets, and what has been added and is not in its buckets yet. */
import { type Dialect, sequence } from "../../connection/dialect.ts"

export const rollups = (dialect: Dialect): ReadonlyArray<string> => [
  `CREATE TABLE rollups (
    account text NOT NULL,
    resolution text NOT NULL,
    dimension text NOT NULL,
    started_at bigint NOT NULL,
    document text NOT NULL,
    PRIMARY KEY (account, resolution, dimension, started_at)
  )`,
  `CREATE INDEX rollups_by_age ON rollups (resolution, started_at)`,
  `CREATE TABLE rollup_deltas (
    seq ${sequence[dialect]},
    account text NOT NULL,
    dimension text NOT NULL,
    started_at bigint NOT NULL,
    opened_at bigint NOT NULL,
    document text NOT NULL
  )`,
  `CREATE INDEX rollup_deltas_by_account ON rollup_deltas (account, dimension, opened_at)`
]
