/** The I/O log of the host: a function that receives the content of requests, for workspaces that enable it. */
import * as Effect from "effect/Effect"
import * as Random from "effect/Random"
import { type GenerationEvent, toGenerationEvent } from "./GenerationEvent.ts"
import {
  countContentBytes,
  type IoContent,
  isContentSelected,
  openSinkQueue,
  type SinkMaker
} from "./Sink.ts"

/** The content of a request and its answer, in the form of the HTTP API. */
export interface IoEntry extends Omit<IoContent, "bytes"> {
  readonly generation: GenerationEvent
}

/** A function of the host that receives entries; its errors are logged. */
export type IoDestination = (entry: IoEntry) => void | Promise<void>

interface QueuedEntry {
  readonly bytes: number
  readonly entry: IoEntry
}

/** Takes the requests that the keys and the sampling rate of their workspace select. */
export const makeIoLogSink: (destination: IoDestination) => SinkMaker = Effect.fnUntraced(
  function* (destination: IoDestination) {
    const random = yield* Random.Random
    const { flush, offer, report } = yield* openSinkQueue<QueuedEntry>({
      title: "the I/O log",
      weigh: ({ bytes }) => bytes,
      deliver: ([item]) =>
        Effect.promise(async () => (item === undefined ? undefined : destination(item.entry)))
    })
    return {
      name: ioLogName,
      flush,
      report,
      offer: (ended, { io }) => {
        const { generation } = ended
        if (io === undefined || !isContentSelected(io, generation, random.nextDoubleUnsafe()))
          return
        const { bytes: _, ...content } = ended.content
        const entry = { generation: toGenerationEvent(generation), ...content }
        offer({ bytes: countContentBytes(ended.content), entry })
      }
    }
  }
)

/** Its label in metrics. */
export const ioLogName = "io_log"
