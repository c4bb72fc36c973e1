/** What a lookup and a stored answer cost in each store. */
import { mkdtempSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { AccountId } from "@signalbox/core"
import { defaultWorkspaceId, memoryStores, ResponseCacheStore } from "@signalbox/core/stores"
import { redisResponseCache } from "@signalbox/redis"
import { postgres, sqlite } from "@signalbox/sql"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { isRedisInstalled, RedisServer } from "../../packages/redis/test/redisServer.ts"
import { startPostgres } from "../../packages/sql/test/startPostgres.ts"
import { quantile } from "../quantile.ts"

/** Of a usual chat, sealed. */
const text = "x".repeat(2_000)
const owner = { account: AccountId.make("bench"), workspace: defaultWorkspaceId }
const toKey = (n: number): string => `key${n}`

const time = Effect.fnUntraced(function* (
  calls: number,
  call: (n: number) => Effect.Effect<unknown>
) {
  const times: Array<number> = []
  for (let n = 0; n < calls; n++) {
    const startedAt = performance.now()
    yield* call(n)
    times.push((performance.now() - startedAt) * 1_000)
  }
  return `${quantile(times, 0.5).toFixed(0)}, ${quantile(times, 0.99).toFixed(0)}`
})

const measure = Effect.fnUntraced(function* (
  name: string,
  store: ResponseCacheStore["Service"],
  calls: number
) {
  const put = (n: number) => {
    const now = Date.now()
    return store.put({
      key: toKey(n),
      owner,
      text,
      now,
      expiresAt: now + 3_600_000,
      maxBytes: 100_000_000
    })
  }
  const find = (n: number) => store.find(toKey(n), Date.now())
  // Warms up.
  yield* time(calls, put)
  yield* time(calls, find)
  return {
    store: name,
    "hit, p50 and p99 us": yield* time(calls, find),
    "miss, p50 and p99 us": yield* time(calls, (n) => find(-1 - n)),
    "put, p50 and p99 us": yield* time(calls, put)
  }
})

/** Uses the Postgres of DATABASE_URL, or starts that of the tests; and `redis-server`, where it is installed. */
export const measureStores = async (calls: number) => {
  const here = process.env["DATABASE_URL"] === undefined ? await startPostgres() : undefined
  const redis = isRedisInstalled ? await RedisServer.start() : undefined
  const path = join(mkdtempSync(join(tmpdir(), "signalbox-")), "signalbox.db")
  const url = process.env["DATABASE_URL"] ?? here?.url ?? ""
  const stores: Record<string, Layer.Layer<ResponseCacheStore, unknown>> = {
    memory: memoryStores,
    SQLite: sqlite({ path }),
    Postgres: postgres({ url, schema: `bench-${crypto.randomUUID()}` }),
    ...(redis === undefined ? undefined : { Redis: redisResponseCache({ url: redis.url }) })
  }
  const rows = []
  for (const [name, layer] of Object.entries(stores)) {
    const measuring = Effect.flatMap(Layer.build(layer), (context) =>
      measure(name, Context.get(context, ResponseCacheStore), calls)
    )
    rows.push(await Effect.runPromise(Effect.scoped(measuring)))
  }
  await redis?.kill()
  await here?.stop()
  return rows
}
