/** Passes the content of requests and answers to the I/O log of the host, for workspaces that enable it. */
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Random from "effect/Random"
import { Settings } from "../../../instance/Settings.ts"
import { toKeyNumber } from "../../../values/ids/toKeyNumber.ts"
import { countJsonBytes } from "../../../values/json/JsonCost.ts"
import type { Generation } from "../generations/Generation.ts"
import type { OutboxReport } from "./Outbox.ts"
import { type GenerationEvent, toGenerationEvent } from "./GenerationEvent.ts"
import type { ObservabilityPreference } from "./ObservabilityPreferences.ts"

/** The content of a request and its answer, in the form of the HTTP API. */
export interface IoEntry {
  readonly generation: GenerationEvent
  /** For a Decision, `state` and `questions`; for a chat, `messages` and parameters. */
  readonly input: unknown
  /** For a Decision, its `reply`; for a chat, its `choices` as far as they arrived; absent without an answer. */
  readonly output?: unknown
  /** `output` is only the beginning of a long stream. */
  readonly isTruncated?: true
}

/** The content of one request for the I/O log. */
export interface IoContent extends Pick<IoEntry, "input" | "isTruncated" | "output"> {
  /** UTF-8 bytes of the request. */
  readonly bytes: number
}

/** A function of the host that receives entries; its errors are logged. */
export type IoDestination = (entry: IoEntry) => void | Promise<void>

/** Passes the content of requests to the I/O log of the host. */
export class IoLog extends Context.Service<
  IoLog,
  {
    /** Whether the host has an I/O log. */
    readonly isEnabled: boolean
    /** Passes the entry on if the keys and the sampling rate of `preference` select it. Never waits and never fails. */
    readonly offer: (
      generation: Generation,
      content: IoContent,
      preference: NonNullable<ObservabilityPreference["io"]>
    ) => Effect.Effect<void>
    readonly report: () => OutboxReport
  }
>()("@signalbox/core/engine/observability/broadcast/IoLog") {
  static readonly layer = (destination: IoDestination | undefined): Layer.Layer<IoLog> =>
    Layer.effect(
      IoLog,
      Effect.gen(function* () {
        if (destination === undefined) return disabledIoLog
        const settings = yield* Settings
        const { makeOutbox } = yield* Effect.promise(() => import("./Outbox.ts"))
        const outbox = yield* makeOutbox<QueuedEntry>({
          name: "the I/O log",
          capacity: settings.maxQueuedBroadcasts,
          weight: { capacity: settings.maxIoLogQueueBytes, of: ({ bytes }) => bytes },
          timeoutMillis: settings.broadcastTimeoutMillis,
          drainTimeoutMillis: settings.drainTimeoutMillis,
          deliver: ({ entry }) => Effect.promise(async () => destination(entry))
        })
        return {
          isEnabled: true,
          offer: Effect.fnUntraced(function* (generation, { bytes, ...content }, { keys, rate }) {
            if (!isKeySelected(keys, generation.keyHash) || (yield* Random.next) >= rate) return
            const entry = { generation: toGenerationEvent(generation), ...content }
            outbox.offer({ bytes: bytes + countOutputBytes(content.output), entry })
          }),
          report: outbox.report
        }
      })
    )
}

interface QueuedEntry {
  readonly bytes: number
  readonly entry: IoEntry
}

const disabledIoLog: IoLog["Service"] = {
  isEnabled: false,
  offer: () => Effect.void,
  report: () => ({ waiting: 0, dropped: 0, failed: 0 })
}

/** An answer may be much larger than its request. */
const countOutputBytes = (output: unknown): number =>
  output === undefined ? 0 : countJsonBytes(output)

const isKeySelected = (
  keys: NonNullable<ObservabilityPreference["io"]>["keys"],
  keyHash: GenerationEvent["keyHash"]
): boolean => keys === null || (keyHash !== undefined && keys.includes(toKeyNumber(keyHash)))
