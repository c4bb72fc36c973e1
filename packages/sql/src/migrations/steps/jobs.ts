/** Creates the table of dead letters; the job queue creates its own. */
import { type Dialect, sequence } from "../../connection/dialect.ts"

export const jobs = (dialect: Dialect): ReadonlyArray<string> => [
  `CREATE TABLE dead_steps (
    seq ${sequence[dialect]},
    kind text NOT NULL,
    step_key text NOT NULL,
    died_at bigint NOT NULL,
    document text NOT NULL,
    UNIQUE (kind, step_key)
  )`,
  `CREATE INDEX dead_steps_by_time ON dead_steps (died_at, seq)`
]
