/** A process that records generations and compacts their rollups until it is killed; it prints a line now and then. */
import { AccountId, defaultWorkspaceId, GenerationId } from "@signalbox/core"
import { GenerationStore, NanoUsd, RollupStore } from "@signalbox/core/stores"
import * as Effect from "effect/Effect"
import { postgres } from "../src/index.ts"

const [url = "", schema = ""] = process.argv.slice(2)

const startedAt = Date.UTC(2026, 0, 1)

await Effect.runPromise(
  Effect.gen(function* () {
    const generations = yield* GenerationStore
    const rollups = yield* RollupStore
    for (let round = 1; ; round++) {
      for (let n = 0; n < 50; n++) {
        yield* generations.record([
          {
            id: GenerationId.make(`gen-${crypto.randomUUID()}`),
            account: AccountId.make("default"),
            workspace: defaultWorkspaceId,
            operation: "chat",
            startedAt: startedAt + (n % 7) * 60_000,
            latencyMillis: 1,
            requestedModel: "a/b",
            cost: NanoUsd.make(7n),
            attempts: [],
            configuration: 1,
            rejected: [],
            demoted: []
          }
        ])
      }
      yield* Effect.sleep(2)
      yield* rollups.compact()
      if (round % 20 === 0) console.log(round)
    }
  }).pipe(Effect.provide(postgres({ url, schema, batchIntervalMillis: 5 })))
)
