/** Hands what was asked and answered to the host's own log, for workspaces that want it. */
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Random from "effect/Random"
import { Settings } from "../Settings.ts"
import { keyNumber } from "../values/keyNumber.ts"
import type { Generation } from "./Generation.ts"
import { makeOutbox, type OutboxReport } from "./Outbox.ts"
import { type ToldGeneration, toldOf } from "./ToldGeneration.ts"
import type { Wish } from "./Wishes.ts"

/** What one request asked and was answered, as the wire has it. */
export interface IoEntry {
  readonly generation: ToldGeneration
  /** Of a Decision: `state` and `questions`; of a chat: `messages` and parameters. */
  readonly input: unknown
  /** Of a Decision: its `answers`; of a chat: its `choices`, as far as they came; absent when nobody answered. */
  readonly output?: unknown
  /** The caller was answered more than `output` has: it is the beginning of a long stream. */
  readonly isTruncated?: true
}

export interface Content extends Pick<IoEntry, "input" | "isTruncated" | "output"> {
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
    readonly isHeard: boolean
    /** Of what its workspace wants told, by the share of requests and the keys it names. Never waits and never fails. */
    readonly offer: (
      generation: Generation,
      content: Content,
      wish: NonNullable<Wish["io"]>
    ) => Effect.Effect<void>
    readonly report: () => OutboxReport
  }
>()("@signalbox/core/observability/IoLog") {
  static readonly layer = (destination: IoDestination | undefined): Layer.Layer<IoLog> =>
    Layer.effect(
      IoLog,
      Effect.gen(function* () {
        if (destination === undefined) return nobody
        const settings = yield* Settings
        const outbox = yield* makeOutbox<Waiting>({
          name: "the I/O log",
          capacity: settings.broadcastQueue,
          weight: { capacity: settings.ioLogQueueBytes, of: ({ bytes }) => bytes },
          deadlineMillis: settings.broadcastDeadlineMillis,
          drainMillis: settings.drainDeadlineMillis,
          deliver: ({ entry }) => Effect.promise(async () => destination(entry))
        })
        return {
          isHeard: true,
          offer: Effect.fnUntraced(function* (generation, { bytes, ...content }, { keys, rate }) {
            if (!names(keys, generation.keyHash) || (yield* Random.next) >= rate) return
            const entry = { generation: toldOf(generation), ...content }
            outbox.offer({ bytes: bytes + bytesOf(content.output), entry })
          }),
          report: outbox.report
        }
      })
    )
}

interface Waiting {
  readonly bytes: number
  readonly entry: IoEntry
}

const nobody: IoLog["Service"] = {
  isHeard: false,
  offer: () => Effect.void,
  report: () => ({ waiting: 0, dropped: 0, failed: 0 })
}

const encoder = new TextEncoder()

/** UTF-8 bytes of its JSON; an answer may be many times as large as what was asked. */
const bytesOf = (output: unknown): number => encoder.encode(JSON.stringify(output)).length

const names = (
  keys: NonNullable<Wish["io"]>["keys"],
  keyHash: ToldGeneration["keyHash"]
): boolean => keys === null || (keyHash !== undefined && keys.includes(keyNumber(keyHash)))
