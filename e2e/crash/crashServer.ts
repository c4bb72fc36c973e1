/**
 * A separate process with an instance on the database given by its arguments. It enqueues tasks and
 * runs them, reports its origin, and lives until it is killed.
 */
import { JobKind } from "@signalbox/core/stores"
import { DurableJobs } from "@signalbox/core/adapter"
import { postgres, sqlite } from "@signalbox/sql"
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import { makeCrashInstance } from "./makeCrashInstance.ts"
import { nodeHost } from "../support/hosts.ts"

// The process must not outlive a failed test.
process.once("disconnect", () => process.exit())

const [, , database = "", location = "", upstream = "", life = ""] = process.argv

// Responses wait until the record and the spending are stored.
const recordsWaitMillis = 0

const instance = await makeCrashInstance(upstream, {
  stores:
    database === "sqlite"
      ? sqlite({ path: location, batchIntervalMillis: recordsWaitMillis })
      : postgres({ url: location, maxConnections: 5, batchIntervalMillis: recordsWaitMillis })
})

const kind = JobKind.make({ name: "crash", payload: Schema.Int, concurrency: 3 })

await Effect.runPromise(
  Effect.gen(function* () {
    const { offer } = yield* DurableJobs
    for (let n = 0; n < 30; n++) yield* offer(kind, { id: life, key: `${life}-${n}`, payload: n })
  }).pipe(Effect.provideContext(instance.context))
)
Effect.runFork(
  Effect.gen(function* () {
    const { work } = yield* DurableJobs
    yield* work(kind, { run: () => Effect.sleep(50), onExhausted: () => Effect.void })
    return yield* Effect.never
  }).pipe(Effect.scoped, Effect.provideContext(instance.context))
)

const { origin } = await nodeHost.start(instance, "")
process.send?.(origin)
