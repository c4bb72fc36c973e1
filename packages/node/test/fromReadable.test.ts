import { PassThrough } from "node:stream"
import * as Effect from "effect/Effect"
import * as Scheduler from "effect/Scheduler"
import * as Stream from "effect/Stream"
import { expect, it } from "vitest"
import { fromReadable } from "../src/fromReadable.ts"

// Chunks that arrive after a fiber has looked in vain and before it waits.
it.each(Array.from({ length: 28 }, (_, index) => index + 4))(
  "a body is read to its end by a fiber that yields every %i operations",
  async (operations) => {
    const readable = new PassThrough()
    const reading = fromReadable(readable, { onError: (cause) => cause, destroysWhenDone: false })
    const total = Effect.runPromise(
      Stream.runFold(
        reading,
        () => 0,
        (bytes, chunk) => bytes + chunk.byteLength
      ).pipe(Effect.provideService(Scheduler.MaxOpsBeforeYield, operations))
    )
    const writeNext = (left: number): void => {
      if (left === 0) return void readable.end()
      readable.write(new Uint8Array(10))
      setImmediate(writeNext, left - 1)
    }
    writeNext(5)
    expect(await total).toBe(50)
  }
)
