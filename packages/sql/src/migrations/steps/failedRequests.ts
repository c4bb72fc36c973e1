/**
 * Creates the table of requests that failed before they were routed, and lets records be found by the id of their request.
 * Records of earlier versions have none.
 */
import { byCodePoint, type Dialect, sequence } from "../../connection/dialect.ts"

export const failedRequests = (dialect: Dialect): ReadonlyArray<string> => [
  `CREATE TABLE failed_requests (
    seq ${sequence[dialect]},
    account text,
    request_id text NOT NULL,
    status integer NOT NULL,
    failed_at bigint NOT NULL,
    document text NOT NULL
  )`,
  `CREATE INDEX failed_requests_by_account ON failed_requests (account, seq)`,
  `CREATE INDEX failed_requests_by_request ON failed_requests (account, request_id, seq)`,
  `CREATE INDEX failed_requests_by_age ON failed_requests (failed_at)`,
  `ALTER TABLE generations ADD COLUMN request_id text`,
  `CREATE INDEX generations_by_request ON generations
    (account, request_id, started_at, id ${byCodePoint[dialect]}) WHERE request_id IS NOT NULL`
]
