/** Creates the table of the cache of responses. */
export const cachedAnswers = (): ReadonlyArray<string> => [
  `CREATE TABLE cached_answers (
    answer_key text NOT NULL PRIMARY KEY,
    account text NOT NULL,
    workspace text NOT NULL,
    key_hash text,
    acting_user text,
    external_user text,
    bytes bigint NOT NULL,
    expires_at bigint NOT NULL,
    document text NOT NULL
  )`,
  `CREATE INDEX cached_answers_by_workspace ON cached_answers
    (account, workspace, expires_at, answer_key, bytes)`,
  `CREATE INDEX cached_answers_by_expiry ON cached_answers (expires_at)`
]
