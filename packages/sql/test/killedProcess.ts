/** A process that begins jobs, prints their numbers and never finishes one. */
import { DurableJobs } from "@signalbox/core/adapter"
import * as Effect from "effect/Effect"
import { postgres } from "../src/index.ts"
import { killedKind, layerJobProcess } from "./jobProcess.ts"

const [url = "", schema = ""] = process.argv.slice(2)

await Effect.runPromise(
  DurableJobs.use(({ work }) =>
    work(killedKind, {
      run: (n) => {
        console.log(n)
        return Effect.never
      },
      onExhausted: () => Effect.void
    })
  ).pipe(
    Effect.andThen(Effect.never),
    Effect.scoped,
    Effect.provide(layerJobProcess(postgres({ url, schema })))
  )
)
