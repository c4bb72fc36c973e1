/** Hands what was asked and answered to the host's own log, for workspaces that want it. */
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Random from "effect/Random"
import { Settings } from "../Settings.ts"
import { toKeyNumber } from "../values/ids/toKeyNumber.ts"
import type { Generation } from "./Generation.ts"
import { makeOutbox, type OutboxReport } from "./Outbox.ts"
import { type GenerationEvent, toGenerationEvent } from "./GenerationEvent.ts"
import type { ObservabilityPreference } from "./ObservabilityPreferences.ts"

/** The content of a request and its answer, in the form of the HTTP API. */
export interface IoEntry {
  readonly generation: GenerationEvent
  /** Of a Decision: `state` and `questions`; of a chat: `messages` and parameters. */
  readonly input: unknown
  /** Of a Decision: its `reply`; of a chat: its `choices`, as far as they came; absent when nobody answered. */
  readonly output?: unknown
  /** The caller was answered more than `output` has: it is the beginning of a long stream. */
  readonly isTruncated?: true
}

/** What an operation hands the I/O log about one request. */
export interface IoContent extends Pick<IoEntry, "input" | "isTruncated" | "output"> {
  /** UTF-8 bytes of the request. */
  readonly bytes: number
}

/** The host's; what it throws or rejects with is logged. */
export type IoDestination = (entry: IoEntry) => void | Promise<void>

/** Hands what was asked and answered to the host's log. */
export class IoLog extends Context.Service<
  IoLog,
  {
    /** Whether there is anybody to tell. */
    readonly isEnabled: boolean
    /** Of what its workspace wants told, by the share of requests and the keys it names. Never waits and never fails. */
    readonly offer: (
      generation: Generation,
      content: IoContent,
      wish: NonNullable<ObservabilityPreference["io"]>
    ) => Effect.Effect<void>
    readonly report: () => OutboxReport
  }
>()("@signalbox/core/observability/IoLog") {
  static readonly layer = (destination: IoDestination | undefined): Layer.Layer<IoLog> =>
    Layer.effect(
      IoLog,
      Effect.gen(function* () {
        if (destination === undefined) return disabledIoLog
        const settings = yield* Settings
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
            outbox.offer({ bytes: bytes + countBytes(content.output), entry })
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

const encoder = new TextEncoder()

/** UTF-8 bytes of its JSON; an answer may be many times as large as what was asked. */
const countBytes = (output: unknown): number => encoder.encode(JSON.stringify(output)).length

const isKeySelected = (
  keys: NonNullable<ObservabilityPreference["io"]>["keys"],
  keyHash: GenerationEvent["keyHash"]
): boolean => keys === null || (keyHash !== undefined && keys.includes(toKeyNumber(keyHash)))
