/** Query plans over large tables: no lookup scans a whole table. */
import { AccountId, GenerationId, NanoUsd, WorkspaceId } from "@signalbox/core"
import { InternId, VaultId } from "@signalbox/core/stores"
import {
  AccountStore,
  ApiKeyStore,
  AuditLog,
  CredentialStore,
  DeliveryStore,
  GenerationStore,
  GuardrailStore,
  InternStore,
  JobStore,
  KeyHash,
  LedgerStore,
  RollupStore,
  SpendCounters,
  type Stores,
  Subject,
  VideoJobId,
  VaultStore,
  VideoStore,
  WebhookStore,
  WorkspaceStore
} from "@signalbox/core/stores"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { SqlClient } from "effect/sql/SqlClient"
import { CurrentTransformer, type Statement } from "effect/sql/Statement"
import { assert, describe, it } from "vitest"
import { pickScope } from "../../../../vitest.scope.ts"
import { toDialect } from "../../src/connection/dialect.ts"
import { migrate } from "../../src/migrations/migrate.ts"
import { layerPostgresClient } from "../../src/connection/postgresClient.ts"
import * as SqliteClient from "../../src/connection/SqliteClient.ts"
import { sqlStores } from "../../src/domains.ts"
import { newSchema } from "../databases.ts"
import { videoJob } from "../fixtures.ts"

const rows = pickScope({ full: 100_000, sample: 20_000 })
/** Filling Postgres takes a minute, and it plans differently for fewer rows. */
const databases = pickScope<ReadonlyArray<"Postgres" | "SQLite">>({
  full: ["SQLite", "Postgres"],
  sample: ["SQLite"]
})
/** In full every account has a thousand rows, like a large one. */
const owner = "'account-' || (n % 100)"
const workspaceColumn = "'workspace-' || (n % 7)"

/** `n` runs from 1 to `rows`. */
const documentTables: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  accounts: { id: "'account-' || n" },
  workspaces: { account: owner, id: "'id-' || n", slug: "'slug-' || n" },
  members: { account: owner, workspace: workspaceColumn, member: "'user-' || n" },
  budgets: { account: owner, workspace: "'workspace-' || n", interval_name: "'daily'" },
  scoped_budgets: { account: owner, id: "'id-' || n", workspace: "'workspace-' || n" },
  vaults: {
    id: "'id-' || n",
    account: owner,
    workspace: "'workspace-' || n",
    key_sealed_under: "'current'"
  },
  vault_secrets: { vault: owner, name: "'name-' || n", sealed_under: "'current'" },
  webhook_secrets: {
    account: owner,
    workspace: "'workspace-' || n",
    id: "'id-' || n",
    sealed_under: "'current'"
  },
  api_keys: {
    hash: "'hash-' || n",
    account: owner,
    workspace: workspaceColumn,
    secret: "'secret-' || n",
    former_secret: "'former-' || n",
    disabled: "0"
  },
  guardrails: { account: owner, id: "'id-' || n", workspace: workspaceColumn },
  assignments: {
    account: owner,
    kind: "'key'",
    subject: "'subject-' || n",
    guardrail: "'id-' || (n % 1000)"
  },
  credentials: {
    account: owner,
    id: "'id-' || n",
    workspace: workspaceColumn,
    provider: "'provider-' || (n % 9)",
    disabled: "0",
    sort_order: "n",
    sealed_under: "'current'"
  },
  deliveries: {
    id: "'id-' || n",
    account: owner,
    workspace: workspaceColumn,
    state: "CASE n % 3 WHEN 0 THEN 'pending' ELSE 'delivered' END",
    version: "0",
    ended_at: "n"
  },
  video_jobs: {
    id: "'id-' || n",
    account: owner,
    workspace: workspaceColumn,
    status: "CASE n % 3 WHEN 0 THEN 'pending' ELSE 'completed' END",
    version: "0",
    due_at: "CASE n % 3 WHEN 0 THEN n END",
    idempotency_key: "'key-' || n"
  },
  interns: {
    id: "'id-' || n",
    account: owner,
    workspace: workspaceColumn,
    creator: owner,
    name: "'name-' || n",
    status: "CASE n % 3 WHEN 0 THEN 'failed' ELSE 'running' END",
    version: "1",
    vault: "'vault-' || n",
    attached_vault: "CASE n % 9 WHEN 0 THEN 'vault-' || n END",
    hostname: "'hostname-' || n",
    creation_key: "'key-' || n"
  },
  generations: {
    id: "'gen-' || n",
    account: owner,
    started_at: "n",
    // Many rows of one key: a database may sort a few rows even with an index.
    key_hash: "'key-' || (n % 10)",
    acting_user: "'ada-' || (n % 10)",
    user_id: "'user-' || (n % 10)",
    session_id: "'session-' || n",
    outcome: "CASE n % 50 WHEN 0 THEN 'AttemptsFailed' ELSE 'answered' END"
  },
  rollups: {
    account: owner,
    resolution: "'hour'",
    dimension: "'model'",
    started_at: "n"
  },
  rollup_deltas: {
    account: owner,
    dimension: "'model'",
    started_at: "n",
    opened_at: "n"
  },
  audit_entries: { account: owner, occurred_at: "n" },
  dead_letters: { kind: "'kind'", step_key: "'job-' || n", died_at: "n" }
}
const plainTables: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  spend: {
    subject: "'subject-' || n",
    interval_name: "'daily'",
    began_at: "0",
    credits: "1",
    byok: "0"
  },
  limit_counters: { counter_key: "'counter-' || n", settled: "0", reserved: "0", ends_at: "n" },
  reservations: { id: "'id-' || n", amount: "1", expires_at: "9000000000000000", limits: "'[]'" },
  grants: { account: "'account-' || n", granted: "1", initial: "0" },
  vault_hosts: { vault: owner, host: "'host-' || n", name: "'name-' || n" },
  webhooks: { account: owner, workspace: "'workspace-' || n" }
}

const fill = Effect.gen(function* () {
  const sql = yield* SqlClient
  const tables = [
    ...Object.entries(documentTables).map(
      ([table, columns]) => [table, { ...columns, document: "'{\"number\":' || n || '}'" }] as const
    ),
    ...Object.entries(plainTables)
  ]
  yield* sql.withTransaction(
    Effect.forEach(tables, ([table, columns]) =>
      sql.unsafe(`
      WITH RECURSIVE numbers (n) AS (
        SELECT 1 UNION ALL SELECT n + 1 FROM numbers WHERE n < ${rows}
      )
      INSERT INTO ${table} (${Object.keys(columns).join(", ")})
      SELECT ${Object.values(columns).join(", ")} FROM numbers`)
    )
  )
  yield* sql`ANALYZE`
})

const account = AccountId.make("account-7")
const hash = KeyHash.make("7".repeat(64))
const page = { offset: 200, limit: 100 }
const cursorPage = { limit: 10, after: 90_000 }
const workspace = WorkspaceId.make("workspace-3")
const vault = VaultId.make("00000000-0000-4000-8000-000000000007")
const spender = { account, workspace, keyHash: hash }

/** Reads the first page and the next. */
const twoPages = <Row, E>(
  page: (
    keyId: string,
    after: Row | undefined,
    limit: number
  ) => Effect.Effect<ReadonlyArray<Row>, E>
): Effect.Effect<unknown, E> =>
  Effect.flatMap(page("current", undefined, 2), ([, last]) => page("current", last, 2))

/** Every store operation that looks rows up. */
const lookups: Readonly<Record<string, Effect.Effect<unknown, unknown, Stores>>> = {
  "AccountStore.get": AccountStore.use((store) => store.get(account)),
  "ApiKeyStore.findBySecretHash": ApiKeyStore.use((store) => store.findBySecretHash(hash)),
  "ApiKeyStore.list": ApiKeyStore.use((store) =>
    store.list(account, { includeDisabled: false }, page)
  ),
  "ApiKeyStore.list, newest first": ApiKeyStore.use((store) =>
    store.list(account, { includeDisabled: true, newestFirst: true }, page)
  ),
  "ApiKeyStore.list of a workspace": ApiKeyStore.use((store) =>
    store.list(account, { includeDisabled: true, workspace }, page)
  ),
  "ApiKeyStore.update": ApiKeyStore.use((store) => store.update(account, hash, (key) => key)),
  "AuditLog.list": AuditLog.use((store) => store.list(account, cursorPage)),
  "CredentialStore.listEnabled": CredentialStore.use((store) => store.listEnabled(account)),
  "CredentialStore.list": CredentialStore.use((store) => store.list(account, {}, page)),
  "CredentialStore.list of a workspace": CredentialStore.use((store) =>
    store.list(account, { workspace }, page)
  ),
  "CredentialStore.list of a provider": CredentialStore.use((store) =>
    store.list(account, { provider: "provider-3", workspace }, page)
  ),
  "CredentialStore.listToReseal": CredentialStore.use((store) => twoPages(store.listToReseal)),
  "DeliveryStore.find": DeliveryStore.use((store) => store.find("id-7")),
  "DeliveryStore.purgeEnded": DeliveryStore.use((store) => store.purgeEnded(7)),
  "DeliveryStore.list": DeliveryStore.use((store) => store.list(account, {}, cursorPage)),
  "DeliveryStore.list of a workspace": DeliveryStore.use((store) =>
    store.list(account, { workspace }, cursorPage)
  ),
  "DeliveryStore.list of a state": DeliveryStore.use((store) =>
    store.list(account, { state: "pending" }, cursorPage)
  ),
  "DeliveryStore.list of both": DeliveryStore.use((store) =>
    store.list(account, { workspace, state: "delivered" }, cursorPage)
  ),
  "GenerationStore.list": GenerationStore.use((store) => store.list({ account }, { limit: 10 })),
  "GenerationStore.list of a later page": GenerationStore.use((store) =>
    store.list(
      { account, from: 10 },
      { limit: 10, after: { startedAt: rows, id: GenerationId.make(`gen-${rows}`) } }
    )
  ),
  "GenerationStore.list of a key": GenerationStore.use((store) =>
    store.list({ account, key: "key-7" }, { limit: 10 })
  ),
  "GenerationStore.list of a user": GenerationStore.use((store) =>
    store.list({ account, user: "ada-7" }, { limit: 10 })
  ),
  "GenerationStore.list of an external user": GenerationStore.use((store) =>
    store.list({ account, externalUser: "user-7" }, { limit: 10 })
  ),
  "GenerationStore.list of failures": GenerationStore.use((store) =>
    store.list({ account, outcome: "failed" }, { limit: 10 })
  ),
  "GenerationStore.list of an endpoint": GenerationStore.use((store) =>
    store.list({ account, from: 10, to: rows, endpoint: "a/b@one" }, { limit: 10 })
  ),
  "GenerationStore.list of some with a tag": GenerationStore.use((store) =>
    store.list({ account, tag: { key: "customer", value: "none" } }, { limit: 10 })
  ),
  "GenerationStore.listSessions": GenerationStore.use((store) =>
    store.listSessions({ account, from: rows - 1000, workspace: "workspace-3" }, { limit: 10 })
  ),
  "GenerationStore.scan": GenerationStore.use((store) => store.scan(rows - 10, { limit: 10 })),
  "GenerationStore.scan of a later page": GenerationStore.use((store) =>
    store.scan(10, {
      limit: 10,
      after: { startedAt: rows - 10, id: GenerationId.make(`gen-${rows}`) }
    })
  ),
  "GenerationStore.find": GenerationStore.use((store) =>
    store.find(account, GenerationId.make("gen-dec-0-aaaaaaaaaaaaaaaaaaaa"))
  ),
  "GuardrailStore.listEffective": GuardrailStore.use((store) =>
    store.listEffective(account, { defaultGuardrail: "id-7", key: hash })
  ),
  "GuardrailStore.list": GuardrailStore.use((store) => store.list(account, "workspace-3", page)),
  "GuardrailStore.listAssignments": GuardrailStore.use((store) =>
    store.listAssignments(account, "key", undefined, page)
  ),
  "GuardrailStore.listAssignments of one": GuardrailStore.use((store) =>
    store.listAssignments(account, "key", "id-7", page)
  ),
  "GuardrailStore.remove": GuardrailStore.use((store) => store.remove(account, "none")),
  "GuardrailStore.unassignAll": GuardrailStore.use((store) =>
    store.unassignAll(account, "key", ["none"])
  ),
  "InternStore.find": InternStore.use((store) =>
    store.find(InternId.make("intern_aaaaaaaaaaaaaaaaaaaa"))
  ),
  "InternStore.findByHostname": InternStore.use((store) => store.findByHostname("hostname-7")),
  "InternStore.findByCreationKey": InternStore.use((store) => store.findByCreationKey("key-7")),
  "InternStore.list": InternStore.use((store) => store.list(account, { workspace }, cursorPage)),
  "InternStore.list of a status": InternStore.use((store) =>
    store.list(account, { workspace, statuses: ["failed"] }, cursorPage)
  ),
  "InternStore.list of some statuses": InternStore.use((store) =>
    store.list(account, { workspace, statuses: ["failed", "queued"] }, cursorPage)
  ),
  "InternStore.remove": InternStore.use((store) =>
    store.remove(1, InternId.make("intern_aaaaaaaaaaaaaaaaaaaa"))
  ),
  "JobStore.listDeadLetters": JobStore.use((store) => store.listDeadLetters(cursorPage)),
  "LedgerStore.findGrantedCredits": LedgerStore.use((store) => store.findGrantedCredits(account)),
  "LedgerStore.renew": LedgerStore.use((store) => store.renew("none", 1)),
  "LedgerStore.reserve": LedgerStore.use((store) =>
    store.reserve({
      account,
      amount: NanoUsd.make(1n),
      leaseMillis: 60_000,
      limits: [
        {
          kind: "key",
          id: "limit",
          subject: Subject.fromKey(hash),
          interval: "lifetime",
          window: "lifetime",
          endsAt: Infinity,
          cap: NanoUsd.make(10n),
          countsByok: false
        }
      ]
    })
  ),
  "LedgerStore.settle": LedgerStore.use((store) => store.settle("none", NanoUsd.zero)),
  "SpendCounters.findSpend": SpendCounters.use((store) =>
    store.findSpend([Subject.fromKey(hash)], 0)
  ),
  "SpendCounters.record": SpendCounters.use((store) =>
    store.record(spender, NanoUsd.make(1n), false, 0)
  ),
  "VaultStore.close": VaultStore.use((store) => store.close(vault)),
  "VaultStore.find": VaultStore.use((store) => store.find(vault)),
  "VaultStore.findByNames": VaultStore.use((store) =>
    store.findByNames(vault, ["name-7", "name-8"])
  ),
  "VaultStore.findKey": VaultStore.use((store) => store.findKey(vault)),
  "VaultStore.listKeysToReseal": VaultStore.use((store) => twoPages(store.listKeysToReseal)),
  "VaultStore.list": VaultStore.use((store) => store.list(vault, page)),
  "VaultStore.listByWorkspace": VaultStore.use((store) =>
    store.listByWorkspace(account, workspace)
  ),
  "VaultStore.remove": VaultStore.use((store) => store.remove(vault, "name-7")),
  "VaultStore.listToReseal": VaultStore.use((store) => twoPages(store.listToReseal)),
  "VaultStore.listByHost": VaultStore.use((store) => store.listByHost([vault, vault], "host-7")),
  "VideoStore.add": VideoStore.use((store) =>
    Effect.flip(
      store.add(videoJob(VideoJobId.make("gen-vid-1-aaaaaaaaaaaaaaaaaaaa"), { account }), 300)
    )
  ),
  "VideoStore.claim": VideoStore.use((store) => store.claim({ now: 9, until: 10, limit: 3 })),
  "VideoStore.find": VideoStore.use((store) =>
    store.find(VideoJobId.make("gen-vid-1-aaaaaaaaaaaaaaaaaaaa"))
  ),
  "VideoStore.findByIdempotencyKey": VideoStore.use((store) => store.findByIdempotencyKey("key-7")),
  "VideoStore.purgeEnded": VideoStore.use((store) => store.purgeEnded(0)),
  "VideoStore.reschedule": VideoStore.use((store) =>
    store.reschedule(VideoJobId.make("gen-vid-1-aaaaaaaaaaaaaaaaaaaa"), 1, 2)
  ),
  "VideoStore.list": VideoStore.use((store) => store.list(account, {}, page)),
  "VideoStore.list of a workspace and a status": VideoStore.use((store) =>
    store.list(account, { workspace, status: "pending" }, page)
  ),
  "RollupStore.list": RollupStore.use((store) =>
    store.list({ account, resolution: "hour", dimension: "model", from: 10, to: 200 })
  ),
  "RollupStore.purgeExpired": RollupStore.use((store) => store.purgeExpired()),
  "WebhookStore.find": WebhookStore.use((store) => store.find(account, "workspace-7")),
  "WebhookStore.listToReseal": WebhookStore.use((store) => twoPages(store.listToReseal)),
  "WorkspaceStore.find": WorkspaceStore.use((store) => store.find(account, "slug-7")),
  "WorkspaceStore.list": WorkspaceStore.use((store) => store.list(account, page)),
  "WorkspaceStore.members": WorkspaceStore.use((store) =>
    store.members(account, "workspace-3", page)
  ),
  "WorkspaceStore.removeMembers": WorkspaceStore.use((store) =>
    store.removeMembers(account, "workspace-3", ["unknown"])
  ),
  "WorkspaceStore.budgets": WorkspaceStore.use((store) => store.budgets(account, "workspace-7")),
  "WorkspaceStore.remove": WorkspaceStore.use((store) => store.remove(account, "none"))
}

/** Captures the statements of an effect, inside and outside transactions. */
const captureStatements = Effect.fnUntraced(function* <A, E, R>(effect: Effect.Effect<A, E, R>) {
  const statements: Array<ReturnType<Statement<unknown>["compile"]>> = []
  yield* Effect.provideService(effect, CurrentTransformer, (statement) => {
    statements.push(statement.compile())
    return Effect.succeed(statement)
  })
  return statements
})

/** Whether a step of a plan scans a whole table or index. A `scan` in a plan is a subquery of one page. */
const isFullScan: Readonly<Record<"Postgres" | "SQLite", (plan: string) => boolean>> = {
  Postgres: (step) => step.includes("Seq Scan on"),
  SQLite: (step) => /^SCAN (?!CONSTANT ROW|\d+-ROW VALUES|scan$)/.test(step)
}

/** Lookups that must not read more rows than their page has. A list of several statuses merges one page of each, one
 * of a tag may sort the rows that have it, and sessions are summed up over the requests of their time. */
const boundedLookups =
  /^(?:AuditLog|DeliveryStore|GenerationStore|InternStore)\.list(?!Sessions| of some)|^JobStore\.listDeadLetters/

/** Whether a step of a plan must read all of its rows before it returns the first. */
const isSort: Readonly<Record<"Postgres" | "SQLite", (plan: string) => boolean>> = {
  Postgres: (step) => /Sort|Aggregate|Bitmap/.test(step),
  SQLite: (step) => step.includes("TEMP B-TREE")
}

/** Counts full scans by table, including those inside functions. */
const countFullScans = Effect.gen(function* () {
  const sql = yield* SqlClient
  if (toDialect(sql) === "sqlite") return []
  yield* sql`SELECT pg_stat_force_next_flush()`
  return yield* sql<{ readonly table: string; readonly reads: bigint }>`
    SELECT relname AS table, seq_scan AS reads FROM pg_stat_user_tables
    WHERE schemaname = current_schema() ORDER BY relname`
})

const clients = {
  // One connection, because others report their statistics late.
  Postgres: () => layerPostgresClient({ ...newSchema(), maxConnections: 1 }),
  SQLite: () => SqliteClient.layer({ path: ":memory:" })
}

const prefix = { Postgres: "EXPLAIN", SQLite: "EXPLAIN QUERY PLAN" }

const explain = Effect.fnUntraced(function* (
  database: "Postgres" | "SQLite",
  [text, params]: ReturnType<Statement<unknown>["compile"]>
) {
  const sql = yield* SqlClient
  const steps = yield* sql.unsafe<{ readonly detail?: string; readonly "QUERY PLAN"?: string }>(
    `${prefix[database]} ${text}`,
    params
  )
  return steps.map((step) => step.detail ?? step["QUERY PLAN"] ?? "")
})

describe.each(databases)("with many rows in every table of %s", (database) => {
  it(
    "no lookup scans a whole table, and no cursor page reads more rows than it returns",
    { timeout: 600_000 },
    () =>
      Effect.gen(function* () {
        yield* migrate()
        yield* fill
        const scans: Array<readonly [lookup: string, statement: string, step: string]> = []
        const sorts: typeof scans = []
        let explained = 0
        const scansBefore = yield* countFullScans
        for (const [name, lookup] of Object.entries(lookups)) {
          for (const statement of yield* captureStatements(Effect.exit(lookup))) {
            const steps = yield* explain(database, statement)
            explained++
            for (const step of steps) {
              if (isFullScan[database](step)) scans.push([name, statement[0], step])
              if (boundedLookups.test(name) && isSort[database](step))
                sorts.push([name, statement[0], step])
            }
          }
        }
        assert.isAbove(explained, Object.keys(lookups).length)
        assert.deepStrictEqual(scans, [])
        assert.deepStrictEqual(sorts, [])
        assert.deepStrictEqual(yield* countFullScans, scansBefore)
      }).pipe(Effect.provide(Layer.provideMerge(sqlStores, clients[database]())), Effect.runPromise)
  )
})
