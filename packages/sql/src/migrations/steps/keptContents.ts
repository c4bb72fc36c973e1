/** Creates the tables of sealed prompts and answers, and of feedback on generations. */
import { byCodePoint, type Dialect, sequence } from "../../connection/dialect.ts"

export const keptContents = (dialect: Dialect): ReadonlyArray<string> => [
  `CREATE TABLE kept_contents (
    seq ${sequence[dialect]},
    id text ${byCodePoint[dialect]} NOT NULL UNIQUE,
    account text NOT NULL,
    workspace text NOT NULL,
    key_hash text,
    acting_user text,
    user_id text,
    expires_at bigint NOT NULL,
    sealed_under text ${byCodePoint[dialect]} NOT NULL,
    document text NOT NULL
  )`,
  `CREATE INDEX kept_contents_by_account ON kept_contents (account, seq)`,
  `CREATE INDEX kept_contents_by_workspace ON kept_contents (account, workspace)`,
  `CREATE INDEX kept_contents_by_key ON kept_contents (account, key_hash)`,
  `CREATE INDEX kept_contents_by_acting_user ON kept_contents (account, acting_user)`,
  `CREATE INDEX kept_contents_by_user ON kept_contents (account, user_id)`,
  `CREATE INDEX kept_contents_by_expiry ON kept_contents (expires_at)`,
  `CREATE INDEX kept_contents_to_reseal ON kept_contents (sealed_under, id)`,
  `CREATE TABLE feedback (
    seq ${sequence[dialect]},
    id text NOT NULL UNIQUE,
    account text NOT NULL,
    workspace text NOT NULL,
    generation text NOT NULL,
    category text NOT NULL,
    experiment text,
    asked_at bigint NOT NULL,
    given_at bigint NOT NULL,
    document text NOT NULL,
    UNIQUE (account, generation, category)
  )`,
  `CREATE INDEX feedback_by_account ON feedback (account, seq)`,
  `CREATE INDEX feedback_by_workspace ON feedback (account, workspace)`,
  `CREATE INDEX feedback_by_time ON feedback (account, asked_at)`,
  `CREATE INDEX feedback_by_experiment ON feedback (experiment, asked_at) WHERE experiment IS NOT NULL`,
  `CREATE INDEX feedback_by_age ON feedback (given_at)`
]
