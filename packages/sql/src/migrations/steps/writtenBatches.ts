/** Creates the table of batches that are written, so that a repetition of one writes nothing twice. */
import { byCodePoint, type Dialect } from "../../connection/dialect.ts"

export const writtenBatches = (dialect: Dialect): ReadonlyArray<string> => [
  `CREATE TABLE written_batches (
    id text ${byCodePoint[dialect]} NOT NULL PRIMARY KEY,
    written_at bigint NOT NULL
  )`,
  `CREATE INDEX written_batches_by_time ON written_batches (written_at)`
]
