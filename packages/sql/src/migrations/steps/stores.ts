/** Creates the tables of managed resources, generations and the audit log. */
import { type Dialect, sequence } from "../../connection/dialect.ts"
import { createOwnedTable } from "../createOwnedTable.ts"

export const stores = (dialect: Dialect): ReadonlyArray<string> => [
  `CREATE TABLE accounts (
    id text PRIMARY KEY,
    document text NOT NULL,
    configured text
  )`,

  `CREATE TABLE workspaces (
    seq ${sequence[dialect]},
    account text NOT NULL,
    id text NOT NULL,
    slug text,
    document text,
    UNIQUE (account, id),
    UNIQUE (account, slug)
  )`,
  `CREATE INDEX workspaces_by_account ON workspaces (account, seq)`,
  `CREATE TABLE members (
    seq ${sequence[dialect]},
    account text NOT NULL,
    workspace text NOT NULL,
    member text NOT NULL,
    document text NOT NULL,
    UNIQUE (account, workspace, member)
  )`,
  `CREATE INDEX members_by_workspace ON members (account, workspace, seq)`,
  `CREATE TABLE budgets (
    seq ${sequence[dialect]},
    account text NOT NULL,
    workspace text NOT NULL,
    span text NOT NULL,
    document text NOT NULL,
    UNIQUE (account, workspace, span)
  )`,

  `CREATE TABLE webhooks (
    account text NOT NULL,
    workspace text NOT NULL,
    callback_url text,
    updated_at text,
    PRIMARY KEY (account, workspace)
  )`,
  `CREATE TABLE webhook_secrets (
    seq ${sequence[dialect]},
    account text NOT NULL,
    workspace text NOT NULL,
    id text NOT NULL,
    sealed_under text NOT NULL,
    document text NOT NULL,
    UNIQUE (account, workspace, id)
  )`,
  `CREATE INDEX webhook_secrets_by_key ON webhook_secrets (sealed_under)`,

  `CREATE TABLE api_keys (
    seq ${sequence[dialect]},
    hash text NOT NULL UNIQUE,
    account text NOT NULL,
    workspace text NOT NULL,
    secret text,
    former_secret text,
    disabled integer NOT NULL,
    document text
  )`,
  `CREATE INDEX api_keys_by_secret ON api_keys (secret)`,
  `CREATE INDEX api_keys_by_former_secret ON api_keys (former_secret)`,
  `CREATE INDEX api_keys_by_account ON api_keys (account, seq)`,
  `CREATE INDEX api_keys_by_workspace ON api_keys (account, workspace, seq)`,

  ...createOwnedTable(dialect, "guardrails"),
  `CREATE TABLE assignments (
    seq ${sequence[dialect]},
    account text NOT NULL,
    kind text NOT NULL,
    subject text NOT NULL,
    guardrail text NOT NULL,
    document text NOT NULL,
    UNIQUE (account, kind, subject)
  )`,
  `CREATE INDEX assignments_by_kind ON assignments (account, kind, seq)`,
  `CREATE INDEX assignments_by_guardrail ON assignments (account, guardrail, kind, seq)`,

  `CREATE TABLE credentials (
    seq ${sequence[dialect]},
    account text NOT NULL,
    id text NOT NULL,
    workspace text,
    provider text NOT NULL,
    disabled integer NOT NULL,
    place integer NOT NULL,
    sealed_under text NOT NULL,
    document text NOT NULL,
    UNIQUE (account, id)
  )`,
  `CREATE INDEX credentials_by_place ON credentials (account, place, seq)`,
  `CREATE INDEX credentials_by_provider ON credentials (account, provider, place, seq)`,
  `CREATE INDEX credentials_by_key ON credentials (sealed_under)`,

  `CREATE TABLE generations (
    id text PRIMARY KEY,
    account text NOT NULL,
    started_at bigint NOT NULL,
    document text NOT NULL
  )`,
  `CREATE INDEX generations_by_age ON generations (started_at)`,

  `CREATE TABLE audit_entries (
    seq ${sequence[dialect]},
    account text NOT NULL,
    made_at bigint NOT NULL,
    document text NOT NULL
  )`,
  `CREATE INDEX audit_entries_by_account ON audit_entries (account, seq)`
]
