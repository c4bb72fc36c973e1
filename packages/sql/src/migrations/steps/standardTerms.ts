/** Renames tables, columns and the members of stored documents to the terms that the code uses. */
import type { Dialect } from "../../connection/dialect.ts"
import { createEndFunction, createReserveFunction } from "../../ledger/postgresLedgerFunctions.ts"
import type { DocumentRewrite } from "../rewriteDocuments.ts"

export const standardTerms = (dialect: Dialect): ReadonlyArray<string | DocumentRewrite> => [
  // First, because on Postgres this locks the tables against writes until their documents are rewritten.
  ...columns.map(([table, from, to]) => `ALTER TABLE ${table} RENAME COLUMN ${from} TO ${to}`),
  `ALTER TABLE counters RENAME TO limit_counters`,
  `ALTER TABLE dead_steps RENAME TO dead_letters`,
  ...indexes.flatMap(([from, to, definition]) =>
    dialect === "postgres"
      ? [`ALTER INDEX ${from} RENAME TO ${to}`]
      : [`DROP INDEX ${from}`, `CREATE INDEX ${to} ON ${definition}`]
  ),
  ...(dialect === "postgres" ? postgresFunctions : []),
  ...documents
]

const columns = [
  ["accounts", "configured", "configured_document"],
  ["audit_entries", "made_at", "occurred_at"],
  ["budgets", "span", "interval_name"],
  ["counters", "name", "counter_key"],
  ["credentials", "place", "sort_order"],
  ["deliveries", "turn", "version"],
  ["grants", "endowed", "initial"],
  ["interns", "turn", "version"],
  ["reservations", "lapses_at", "expires_at"],
  ["reservations", "held", "limits"],
  ["spend", "span", "interval_name"],
  ["vaults", "key_under", "key_sealed_under"],
  ["video_jobs", "turn", "version"],
  ["video_jobs", "repeat_key", "idempotency_key"],
  ["video_jobs", "pictures", "inline_media"]
] as const

const indexes = [
  ["credentials_by_place", "credentials_by_sort_order", "credentials (account, sort_order, seq)"],
  ["counters_by_end", "limit_counters_by_end", "limit_counters (ends_at)"],
  ["reservations_by_end", "reservations_by_expiry", "reservations (expires_at)"],
  ["dead_steps_by_time", "dead_letters_by_time", "dead_letters (died_at, seq)"]
] as const

const watchedTables = [
  "accounts",
  "credentials",
  "grants",
  "guardrails",
  "assignments",
  "api_keys",
  "workspaces",
  "budgets"
]

const postgresFunctions: ReadonlyArray<string> = [
  `DROP FUNCTION ledger_reserve(text, bigint, bigint, bigint, jsonb)`,
  `DROP FUNCTION ledger_end(text, bigint)`,
  createReserveFunction,
  createEndFunction,
  `ALTER FUNCTION tell_change() RENAME TO notify_change`,
  ...watchedTables.map((table) => `ALTER TRIGGER tell_change ON ${table} RENAME TO notify_change`)
]

/** Error tags in generations and dead letters. */
const errorTags = {
  CannotOpen: "UnsealFailed",
  CannotSeal: "SealingKeysMissing",
  FateUnknown: "SubmitOutcomeUnknown",
  Missing: "ResourceNotFound",
  NoWorkspace: "WorkspaceNotFound",
  NotPublic: "NonPublicAddress",
  OtherWorkspace: "WorkspaceMismatch",
  OutOfTime: "DeadlineExceeded",
  TooManyUnfinished: "TooManyActiveJobs",
  Unresolved: "HostUnresolved"
}

/** Members of the payloads of job steps. */
const payloads = {
  "payload.does": "kind",
  "payload.put_off": "deferrals",
  "payload.tried": "previousAttempts",
  "payload.turn": "version"
}

const documents: ReadonlyArray<DocumentRewrite> = [
  {
    table: "interns",
    column: "document",
    key: ["id"],
    rename: {
      turn: "version",
      "creation.provisions": "shouldProvision",
      "run.done": "completedSteps",
      "claim.by": "owner",
      "claim.until": "expiresAt"
    },
    replace: { "run.archive": { tried: "best_effort" } }
  },
  { table: "deliveries", column: "document", key: ["id"], rename: { turn: "version" } },
  {
    table: "video_jobs",
    column: "document",
    key: ["id"],
    rename: {
      turn: "version",
      repeat: "idempotency",
      held: "reservations",
      heldUntil: "reservedUntil",
      cancelWanted: "cancelRequested",
      "place.atMost": "maxUsage",
      place: "assignment",
      unanswered: "failedPolls",
      "end.kept": "storedFiles",
      "end.notKept": "notStoredReason",
      "attempts.implausible.stated": "reported"
    }
  },
  {
    table: "credentials",
    column: "document",
    key: ["account", "id"],
    rename: { "kept.sealed.box": "ciphertext", "kept.refused": "refusal", kept: "row" }
  },
  {
    table: "webhook_secrets",
    column: "document",
    key: ["account", "workspace", "id"],
    rename: { "secret.sealed.box": "ciphertext" }
  },
  {
    table: "vault_secrets",
    column: "document",
    key: ["vault", "name"],
    rename: { "secret.sealed.box": "ciphertext" }
  },
  { table: "vaults", column: "sealed_key", key: ["id"], rename: { "key.box": "ciphertext" } },
  {
    table: "generations",
    column: "document",
    key: ["id"],
    // Skips most rows: there may be millions, and only failed ones hold these members.
    where: `(document LIKE '%"implausible":%' OR document LIKE '%"error":%')`,
    rename: { "attempts.implausible.stated": "reported" },
    replace: { error: errorTags }
  },
  { table: "reservations", column: "limits", key: ["id"], rename: { name: "counterKey" } },
  {
    table: "dead_letters",
    column: "document",
    key: ["kind", "step_key"],
    where: `kind IN ('intern.task', 'video.submit', 'video.keep', 'webhook.delivery')`,
    rename: payloads,
    replace: { reason: errorTags }
  },
  {
    table: "job_steps",
    column: "element",
    key: ["id", "queue_name"],
    where: `state <> 'completed'
      AND queue_name IN ('intern.task', 'video.submit', 'video.keep', 'webhook.delivery')`,
    rename: payloads
  }
]
