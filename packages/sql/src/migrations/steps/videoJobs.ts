/** Creates the table of video jobs, indexed by the time each is due. */
import { type Dialect, sequence } from "../../connection/dialect.ts"

export const videoJobs = (dialect: Dialect): ReadonlyArray<string> => [
  `CREATE TABLE video_jobs (
    seq ${sequence[dialect]},
    id text NOT NULL UNIQUE,
    account text NOT NULL,
    workspace text NOT NULL,
    status text NOT NULL,
    turn bigint NOT NULL,
    due_at bigint,
    ended_at bigint,
    repeat_key text UNIQUE,
    document text NOT NULL
  )`,
  `CREATE INDEX video_jobs_by_account ON video_jobs (account, seq)`,
  `CREATE INDEX video_jobs_by_workspace ON video_jobs (account, workspace, seq)`,
  `CREATE INDEX video_jobs_by_status ON video_jobs (account, status, seq)`,
  `CREATE INDEX video_jobs_by_workspace_and_status ON video_jobs (account, workspace, status, seq)`,
  `CREATE INDEX video_jobs_by_due ON video_jobs (due_at)`,
  `CREATE INDEX video_jobs_by_end ON video_jobs (ended_at)`
]
