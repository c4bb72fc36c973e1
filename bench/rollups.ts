/**
 * Measures what rollups occupy in Postgres after a month of 100 requests a second, and how long the queries of a
 * console take on them. The buckets are generated directly, with 20 models, 40 endpoints, 1,000 users and 2,000 keys;
 * the last minute is added as requests are.
 *
 * Usage: node bench/rollups.ts [days] [runs of a query]
 * Uses the Postgres of DATABASE_URL, or starts that of the tests.
 */
import { createHash } from "node:crypto"
import { AccountId, GenerationId } from "@signalbox/core"
import type { Rollup } from "@signalbox/core/stores"
import {
  bucketMillis,
  defaultAccountId,
  defaultWorkspaceId,
  type NamedDimension,
  dimensions,
  encodeRollup,
  type Generation,
  KeyHash,
  type Measures,
  NanoUsd,
  type Resolution,
  resolutions,
  RollupStore,
  WorkspaceId
} from "@signalbox/core/stores"
import { Signalbox } from "@signalbox/node"
import { postgres } from "@signalbox/sql"
import * as Arr from "effect/Array"

import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Layer from "effect/Layer"
import * as Rec from "effect/Record"
import * as Scope from "effect/Scope"
import { SqlClient } from "effect/sql/SqlClient"
import { startPostgres } from "../packages/sql/test/startPostgres.ts"
import { quantile } from "./quantile.ts"

const [days = 30, runs = 15] = process.argv.slice(2).map(Number)
const requestsPerSecond = 100
const account = defaultAccountId

const sizes = {
  total: 1,
  outcome: 6,
  operation: 3,
  model: 20,
  provider: 15,
  endpoint: 40,
  workspace: 50,
  key: 2_000,
  user: 1_000,
  external_user: 1,
  preset: 20
} as const satisfies Record<NamedDimension, number>

const toValue = (dimension: NamedDimension, index: number): string | null => {
  switch (dimension) {
    case "total":
      return null
    case "key":
      return toKeyHash(index)
    case "workspace":
      return toWorkspace(index)
    case "endpoint":
      return `author-${index % 20}/some-model-name-${index % 20}@provider-${index % 15}`
    case "model":
      return `author-${index}/some-model-name-${index}`
    case "operation":
    case "outcome":
    case "provider":
    case "user":
    case "external_user":
    case "preset":
      return `${dimension}-${index}`
  }
}
const toKeyHash = (index: number) =>
  KeyHash.make(createHash("sha256").update(String(index)).digest("hex"))
const toWorkspace = (index: number) =>
  WorkspaceId.make(`00000000-0000-4000-8000-${String(index).padStart(12, "0")}`)

const values: Readonly<Record<NamedDimension, ReadonlyArray<string | null>>> = Rec.map(
  sizes,
  (size, dimension) => Array.from({ length: size }, (_, index) => toValue(dimension, index))
)

/** A few are used much more than the others. */
const shares: Readonly<Record<NamedDimension, ReadonlyArray<number>>> = Rec.map(values, (all) => {
  const weights = all.map((_, index) => 1 / (index + 1) ** 0.7)
  const sum = weights.reduce((one, other) => one + other)
  return weights.map((weight) => weight / sum)
})

/** The shares of latencies in the buckets of a histogram: log-normal around two seconds. */
const makeHistogramShares = (medianMillis: number): ReadonlyArray<number> => {
  const density = Array.from({ length: 112 }, (_, bucket) => {
    const distance = Math.log((0.1 * 1.15 ** (bucket + 0.5)) / medianMillis) / 0.8
    return Math.exp((-distance * distance) / 2)
  })
  const sum = density.reduce((one, other) => one + other)
  return density.map((each) => each / sum)
}
const latencyShares = makeHistogramShares(2_000)
const firstEventShares = makeHistogramShares(400)

/** How often `n` tries hit something with this share; close to a Poisson distribution. */
const sampleCount = (n: number, share: number): number => {
  const expected = n * share
  if (expected > 30) return Math.max(0, Math.round(expected + Math.sqrt(expected) * sampleNormal()))
  const limit = Math.exp(-expected)
  let count = 0
  for (let product = Math.random(); product > limit; product *= Math.random()) count++
  return count
}
const sampleNormal = (): number =>
  Math.sqrt(-2 * Math.log(1 - Math.random())) * Math.cos(2 * Math.PI * Math.random())

const sampleHistogram = (n: number, shares: ReadonlyArray<number>): Measures["latency"] => {
  const all = shares.map((share) => (n * share < 1e-4 ? 0 : sampleCount(n, share)))
  const first = all.findIndex((count) => count > 0)
  if (first < 0) return { count: 0, first: 0, counts: [] }
  const counts = all.slice(first, all.findLastIndex((count) => count > 0) + 1)
  return { count: counts.reduce((one, other) => one + other), first, counts }
}

const sampleMeasures = (requests: number): Measures => ({
  requests,
  errors: sampleCount(requests, 0.02),
  byok: 0,
  unpriced: 0,
  inputTokens: requests * 1_200 + Math.floor(Math.random() * 1_000),
  outputTokens: requests * 300 + Math.floor(Math.random() * 300),
  cachedTokens: requests * 400,
  reasoningTokens: requests * 100,
  characters: 0,
  audioMillis: 0,
  outputImages: 0,
  cost: NanoUsd.make(BigInt(requests) * 4_200_000n + BigInt(Math.floor(Math.random() * 1e6))),
  upstreamCost: NanoUsd.zero,
  cacheHits: 0,
  cacheMisses: 0,
  saved: NanoUsd.zero,
  latency: sampleHistogram(requests, latencyShares),
  firstEvent: sampleHistogram(requests, firstEventShares)
})

const sampleRollup = (dimension: NamedDimension, resolution: Resolution): Rollup.Rollup => {
  const requests = (bucketMillis[resolution] / 1_000) * requestsPerSecond
  const sampled = values[dimension].flatMap((value, index) => {
    const count = sampleCount(requests, shares[dimension][index] ?? 0)
    return count === 0 ? [] : [[value, count] as const]
  })
  const ranked = sampled.toSorted(([, one], [, other]) => other - one)
  const rest = ranked.slice(200).reduce((sum, [, count]) => sum + count, 0)
  return {
    values: new Map(ranked.slice(0, 200).map(([value, count]) => [value, sampleMeasures(count)])),
    ...(rest === 0 ? undefined : { other: sampleMeasures(rest) })
  }
}

const retentionMillis: Readonly<Record<Resolution, number>> = {
  minute: 2 * bucketMillis.day,
  hour: Math.min(90, days) * bucketMillis.day,
  day: days * bucketMillis.day
}

const fill = Effect.gen(function* () {
  const sql = yield* SqlClient
  const now = Date.now()
  for (const resolution of resolutions) {
    const length = bucketMillis[resolution]
    const end = Math.floor(now / length) * length
    for (let startedAt = end - retentionMillis[resolution]; startedAt < end; startedAt += length) {
      const rows = dimensions.map((dimension) => ({
        account,
        resolution,
        dimension,
        started_at: startedAt,
        document: encodeRollup(sampleRollup(dimension, resolution))
      }))
      if (Arr.isArrayNonEmpty(rows)) yield* sql`INSERT INTO rollups ${sql.insert(rows)}`
    }
  }
})

const sampleIndex = (dimension: NamedDimension): number => {
  let left = Math.random()
  const index = shares[dimension].findIndex((share) => (left -= share) < 0)
  return Math.max(index, 0)
}

const sampleGeneration = (startedAt: number): Generation => {
  const endpoint = sampleIndex("endpoint")
  const model = toValue("model", endpoint % 20) ?? ""
  const usage = { inputTokens: 1_200, outputTokens: 300, cachedTokens: 400, reasoningTokens: 100 }
  const cost = NanoUsd.make(4_200_000n)
  const latencyMillis = 2_000 * Math.exp(0.8 * sampleNormal())
  const provider = `provider-${endpoint % 15}`
  return {
    id: GenerationId.make(`gen-${crypto.randomUUID()}`),
    account: AccountId.make(account),
    workspace: endpoint === 0 ? defaultWorkspaceId : toWorkspace(sampleIndex("workspace")),
    keyHash: toKeyHash(sampleIndex("key")),
    user: `user-${sampleIndex("user")}`,
    operation: "chat",
    startedAt,
    latencyMillis,
    requestedModel: model,
    model,
    provider,
    usage,
    cost,
    attempts: [
      {
        endpoint: toValue("endpoint", endpoint) ?? "",
        provider,
        outcome: "served",
        latencyMillis,
        firstEventMillis: latencyMillis / 5,
        usage,
        cost
      }
    ],
    configuration: 1,
    rejected: [],
    demoted: []
  }
}

/** The last minute as a busy process leaves it: what was compacted ten seconds ago, and a delta for each batch since. */
const addLastMinute = Effect.gen(function* () {
  const store = yield* RollupStore
  const start = Math.floor(Date.now() / bucketMillis.minute) * bucketMillis.minute
  const sample = (count: number) => Array.from({ length: count }, () => sampleGeneration(start))
  yield* store.add(sample(50 * requestsPerSecond))
  for (let batch = 0; batch < 100; batch++) yield* store.add(sample(requestsPerSecond / 10))
})

const ago = (millis: number): string => new Date(Date.now() - millis).toISOString()

/** What the pages of a console ask for, by the time they cover. */
const queries = [
  ["last hour, total", { from: ago(bucketMillis.hour) }],
  ["last hour, by outcome", { from: ago(bucketMillis.hour), group_by: "outcome" }],
  [
    "last hour, by endpoint (40)",
    { from: ago(bucketMillis.hour), group_by: "endpoint", limit: 40 }
  ],
  ["last hour, by key", { from: ago(bucketMillis.hour), group_by: "key" }],
  ["last day, by outcome", { from: ago(bucketMillis.day), group_by: "outcome" }],
  ["last day, by model (20)", { from: ago(bucketMillis.day), group_by: "model", limit: 20 }],
  ["last day, by key", { from: ago(bucketMillis.day), group_by: "key" }],
  ["last day, by user", { from: ago(bucketMillis.day), group_by: "user" }],
  ["last week, by model", { from: ago(7 * bucketMillis.day), group_by: "model" }],
  ["last month, by model", { from: ago(days * bucketMillis.day), group_by: "model" }],
  ["last month, by provider", { from: ago(days * bucketMillis.day), group_by: "provider" }],
  ["last month, by workspace", { from: ago(days * bucketMillis.day), group_by: "workspace" }],
  ["last month, by key", { from: ago(days * bucketMillis.day), group_by: "key" }],
  ["last month, by user", { from: ago(days * bucketMillis.day), group_by: "user" }],
  ["last month, total by hour", { from: ago(days * bucketMillis.day), interval: "hour" }],
  ["a day, total by minute", { from: ago(bucketMillis.day), interval: "minute" }]
] as const satisfies ReadonlyArray<
  readonly [name: string, query: Parameters<Signalbox["series"]["get"]>[0]]
>

const running = process.env["DATABASE_URL"] === undefined ? await startPostgres() : undefined
const url = process.env["DATABASE_URL"] ?? running?.url ?? ""
const scope = Scope.makeUnsafe()
const stores = await Effect.runPromise(
  Layer.buildWithScope(postgres({ url, schema: `bench-${crypto.randomUUID()}` }), scope)
)
const run = Effect.runPromiseWith(stores)

console.log(`${days} days of ${requestsPerSecond} requests a second`)
let startedAt = performance.now()
await run(fill)
await run(Effect.flatMap(SqlClient, (sql) => sql`VACUUM ANALYZE rollups`))
console.log(`filled in ${((performance.now() - startedAt) / 1_000).toFixed(0)} s`)

const rows = await run(
  Effect.flatMap(
    SqlClient,
    (sql) => sql<{ resolution: string; buckets: bigint; text: bigint; stored: bigint }>`
      SELECT resolution, count(*) AS buckets, sum(octet_length(document)) AS text,
        sum(pg_column_size(document)) AS stored FROM rollups GROUP BY resolution`
  )
)
const toMegabytes = (bytes: bigint | number): string => (Number(bytes) / 1e6).toFixed(1)
for (const { buckets, resolution, stored, text } of rows) {
  console.log(
    `  ${resolution.padEnd(6)} ${String(buckets).padStart(6)} rows, ${toMegabytes(text).padStart(6)} MB as JSON, ${toMegabytes(stored).padStart(6)} MB compressed`
  )
}
const [size] = await run(
  Effect.flatMap(
    SqlClient,
    (sql) => sql<{ total: bigint }>`SELECT pg_total_relation_size('rollups') AS total`
  )
)
console.log(`table with indexes: ${toMegabytes(size?.total ?? 0n)} MB`)

const instance = await Signalbox.make({
  stores,
  upstreams: [],
  models: []
})
await run(addLastMinute)

console.log(`query                              p50 ms  p95 ms  cpu ms  answer KB   (${runs} runs)`)
for (const [name, query] of queries) {
  const times: Array<number> = []
  const cpu: Array<number> = []
  let text = ""
  for (let index = 0; index < runs + 3; index++) {
    const begin = performance.now()
    const cpuBefore = process.cpuUsage()
    text = JSON.stringify(await instance.series.get(query))
    if (index < 3) continue
    times.push(performance.now() - begin)
    const { system, user } = process.cpuUsage(cpuBefore)
    cpu.push((system + user) / 1_000)
  }
  console.log(
    `${name.padEnd(33)} ${quantile(times, 0.5).toFixed(1).padStart(7)} ${quantile(times, 0.95).toFixed(1).padStart(7)} ${quantile(cpu, 0.5).toFixed(1).padStart(7)} ${(text.length / 1_000).toFixed(0).padStart(10)}`
  )
}

startedAt = performance.now()
await run(RollupStore.use(({ compact }) => compact()))
console.log(`merging the deltas of ten seconds: ${(performance.now() - startedAt).toFixed(0)} ms`)

await instance.close()
await Effect.runPromise(Scope.close(scope, Exit.void))
await running?.stop()
