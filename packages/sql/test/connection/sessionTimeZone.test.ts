/** The queue of jobs has timestamps without a zone: what they mean must not depend on the session, or on the season. */
import { once } from "node:events"
import { connect, createServer } from "node:net"
import { JobStore } from "@signalbox/core/stores"
import * as Context from "effect/Context"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as PersistedQueue from "effect/persistence/PersistedQueue"
import { SqlClient } from "effect/sql/SqlClient"
import { assert, describe, it } from "vitest"
import { layerPostgresClient } from "../../src/connection/postgresClient.ts"
import { migrations } from "../../src/domains.ts"
import { postgres } from "../../src/index.ts"
import { jobsInUtc } from "../../src/migrations/steps/jobsInUtc.ts"
import { migrate } from "../../src/migrations/migrate.ts"
import { newSchema } from "../databases.ts"

/** A url whose sessions would begin in `zone`. */
const inZone = (url: string, zone: string): string => {
  const zoned = new URL(url)
  zoned.searchParams.set("options", `-c TimeZone=${zone}`)
  return zoned.href
}

const readStep = {
  name: "step",
  maxAttempts: 3,
  retryDelay: () => Effect.succeed(Duration.minutes(1))
}

describe("jobs of processes whose sessions would have two time zones", () => {
  it("are not taken over while they run, and count as running everywhere", () =>
    Effect.gen(function* () {
      const { schema, url } = newSchema()
      const open = (zone: string) =>
        Effect.map(
          Layer.build(Layer.fresh(postgres({ url: inZone(url, zone), schema }))),
          (context) => Context.get(context, JobStore)
        )
      const [west, east] = [yield* open("America/Los_Angeles"), yield* open("Asia/Tokyo")]
      const offer = (id: string) =>
        west.queue.offer({ name: "step", id, element: { id }, isCustomId: true })
      yield* offer("first")
      const taken = yield* west.queue.take(readStep)
      assert.strictEqual(taken.id, "first")
      for (const { listQueueDepths } of [west, east]) {
        const [depth] = yield* listQueueDepths
        assert.deepInclude(depth, { due: 0, later: 0, running: 1 })
      }
      yield* offer("second")
      // Steps are taken in their order, so this would be the first one again.
      assert.strictEqual((yield* east.queue.take(readStep)).id, "second")
    }).pipe(Effect.scoped, Effect.runPromise))

  it("stay due when they were offered before sessions were in UTC", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient
      const names = Object.keys(migrations)
      const at = names.findIndex((name) => name.endsWith("_jobs_in_utc"))
      yield* migrate(Object.fromEntries(Object.entries(migrations).slice(0, at)))
      const queue = yield* PersistedQueue.makeStoreSql({ tableName: "job_steps" })
      const offer = (id: string, offeredAt: number, payload: unknown = null) =>
        queue.offer({
          name: "step",
          id,
          element: { id, payload, offeredAt },
          isCustomId: true
        })
      yield* sql`SET TimeZone TO 'Asia/Kathmandu'`
      yield* offer("in Kathmandu", Date.now())
      yield* sql`UPDATE job_steps SET acquired_at = now(), acquired_by = gen_random_uuid()`
      yield* sql`SET TimeZone TO 'America/Los_Angeles'`
      yield* offer("in Los Angeles", Date.now() + 90_000, { offeredAt: 5, text: "\u0000\ud800" })
      yield* sql`SET TimeZone TO 'UTC'`
      yield* offer("in UTC", Date.now() - 90_000)
      const readAges = Effect.map(
        sql<Record<"id", string> & Record<"created" | "visible" | "acquired", number | null>>`
          SELECT id, extract(epoch FROM now()::timestamp - created_at)::float8 AS created,
            extract(epoch FROM now()::timestamp - visible_at)::float8 AS visible,
            extract(epoch FROM now()::timestamp - acquired_at)::float8 AS acquired
          FROM job_steps ORDER BY id COLLATE "C"`,
        (rows) =>
          // A busy machine takes less than a minute for this.
          rows.map(({ id, ...ages }) => [
            id,
            ...Object.values(ages).map((age) => age === null || Math.abs(age) < 60)
          ])
      )
      assert.notDeepEqual(yield* readAges, inOrder)
      assert.deepStrictEqual(yield* migrate(), names.slice(at))
      assert.deepStrictEqual(yield* readAges, inOrder)
      // As after a return to the version before.
      yield* Effect.forEach(jobsInUtc("postgres"), (statement) => sql.unsafe(statement))
      assert.deepStrictEqual(yield* readAges, inOrder)
    }).pipe(
      Effect.scoped,
      Effect.provide(layerPostgresClient({ ...newSchema(), maxConnections: 1 })),
      Effect.runPromise
    ))
})

const inOrder = ["in Kathmandu", "in Los Angeles", "in UTC"].map((id) => [id, true, true, true])

it("a pooler that drops the time zone is named at the start, with what to do", async () => {
  const { schema, url } = newSchema()
  const { hostname, port } = new URL(url)
  const server = createServer((client) => {
    const upstream = connect(Number(port || 5432), hostname)
    for (const socket of [client, upstream]) socket.on("error", () => socket.destroy())
    client.on("close", () => upstream.destroy())
    // Another zone of as many letters, in the first message of the session.
    client.once("data", (chunk) => {
      upstream.write(Buffer.from(chunk.toString("latin1").replace("\0UTC\0", "\0ROK\0"), "latin1"))
      client.pipe(upstream)
    })
    upstream.pipe(client)
  }).listen(0, "127.0.0.1")
  await once(server, "listening")
  const address = server.address()
  const proxied = new URL(url)
  proxied.host = `127.0.0.1:${typeof address === "object" ? address?.port : ""}`
  const error = await Effect.runPromise(
    Effect.flip(Effect.scoped(Layer.build(postgres({ url: proxied.href, schema }))))
  )
  server.close()
  assert.include(error.message, "in the time zone ROK instead of UTC")
  assert.include(error.message, "ALTER ROLE my_role SET timezone TO 'UTC'")
})
