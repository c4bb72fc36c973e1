/** Creates the table of incidents: the times in which endpoints of a provider failed. */
import { type Dialect, sequence } from "../../connection/dialect.ts"

export const incidents = (dialect: Dialect): ReadonlyArray<string> => [
  `CREATE TABLE incidents (
    seq ${sequence[dialect]},
    id text NOT NULL UNIQUE,
    provider text NOT NULL,
    started_at bigint NOT NULL,
    seen_at bigint NOT NULL,
    ended_at bigint,
    document text NOT NULL
  )`,
  `CREATE INDEX incidents_by_provider ON incidents (provider, seq)`,
  `CREATE INDEX incidents_by_age ON incidents (seen_at)`
]
