/** A kind of destination of requests that have ended: a function of the host, its I/O log, kept content. */
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import type * as Scope from "effect/Scope"
import { Settings } from "../../../instance/Settings.ts"
import { KeyHash } from "../../../values/ids/Ids.ts"
import { countJsonBytes } from "../../../values/json/JsonCost.ts"
import type { Alert } from "../alerts/Alert.ts"
import type { Generation } from "../generations/Generation.ts"
import type { ContentSelection, ObservabilityPreference } from "./ObservabilityPreferences.ts"
import type { Outbox, OutboxReport } from "./Outbox.ts"

/** The content of one request and its answer, in the form of the HTTP API. */
export interface IoContent {
  /** UTF-8 bytes of the request. */
  readonly bytes: number
  /** For a Decision, `state` and `questions`; for a chat, `messages` and parameters. */
  readonly input: unknown
  /** For a Decision, its `reply`; for a chat, its `choices` as far as they arrived; absent without an answer. */
  readonly output?: unknown
  /** `output` is only the beginning of a long stream. */
  readonly isTruncated?: true
}

/**
 * What a request and those who restrict it say about keeping its content. `forbidden` wins over everything, `wanted` over the
 * workspace, which decides `unset`.
 */
export type ContentPolicy = "forbidden" | "unset" | "wanted"

/** A request that has ended, as sinks read it. */
export interface DispatchedGeneration {
  readonly generation: Generation
  /** Read only by sinks of content. */
  readonly content: IoContent
  /** Absent: `forbidden`. */
  readonly contentPolicy?: ContentPolicy
}

/** Takes what its workspace selects; each sink has a queue of its own, so that a slow one does not delay the others. */
export interface Sink {
  /** The label in metrics, such as `broadcast_1` or `io_log`. */
  readonly name: string
  /** Queues what it takes of a request. Never waits and never fails. */
  readonly offer: (ended: DispatchedGeneration, preference: ObservabilityPreference) => void
  /** Queues an alert. Never waits and never fails. Absent: it receives none. */
  readonly offerAlert?: (alert: Alert) => void
  /** Waits until everything that was queued before is delivered, dropped or has failed. */
  readonly flush: Effect.Effect<void>
  readonly report: () => OutboxReport
}

/** Makes a sink, whose queue is emptied when the scope closes. */
export type SinkMaker<R = never> = Effect.Effect<Sink, never, R | Scope.Scope>

interface SinkQueue<A> {
  /** In logs. */
  readonly title: string
  /** How to weigh an item in bytes, of which `Settings.maxIoLogQueueBytes` wait; absent: only their number is limited. */
  readonly weigh?: (item: A) => number
  /** How many items one delivery takes at most; default: 1. */
  readonly batchSize?: number
  readonly deliver: (items: ReadonlyArray<A>) => Effect.Effect<void>
}

/** The queue of a sink, with the bounds and timeouts of the settings. */
export const openSinkQueue = Effect.fnUntraced(function* <A>({
  batchSize = 1,
  deliver,
  title,
  weigh
}: SinkQueue<A>): Effect.fn.Return<Outbox<A>, never, Scope.Scope> {
  const settings = yield* Settings
  const { makeOutbox } = yield* Effect.promise(() => import("./Outbox.ts"))
  return yield* makeOutbox<A>({
    name: title,
    capacity: settings.maxQueuedBroadcasts,
    ...(weigh === undefined
      ? undefined
      : { weight: { capacity: settings.maxIoLogQueueBytes, of: weigh } }),
    batchSize,
    timeoutMillis: settings.broadcastTimeoutMillis,
    drainTimeoutMillis: settings.drainTimeoutMillis,
    deliver
  })
})

/** Whether a workspace selects a request for its content; `random` is in [0, 1). */
export const isContentSelected = (
  { keys, rate }: ContentSelection,
  { keyHash }: Pick<Generation, "keyHash">,
  random: number
): boolean =>
  (keys === null || (keyHash !== undefined && keys.includes(toKeyNumber(keyHash)))) && random < rate

const isHash = Schema.is(KeyHash)

/**
 * The integer that stands for an API key in `io_logging_api_key_ids`: the first 48 bits of the hash of a key, which
 * every JSON parser reads exactly. Two keys collide with a probability of 1 in 2.8e14. Throws a `RangeError` for
 * anything but a hash, for example the key itself.
 */
export const toKeyNumber = (hash: string): number => {
  if (!isHash(hash)) throw new RangeError("expected the hash of a key, 64 hex digits")
  return Number.parseInt(hash.slice(0, 12), 16)
}

/** Bytes of a request and its answer, which may be much larger. */
export const countContentBytes = ({ bytes, output }: IoContent): number =>
  bytes + (output === undefined ? 0 : countJsonBytes(output))
