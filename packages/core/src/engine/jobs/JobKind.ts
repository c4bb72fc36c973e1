/** Kinds of steps: their payload and retry policy. */
import * as Context from "effect/Context"
import type * as Schedule from "effect/Schedule"
import * as Schema from "effect/Schema"

interface JobKindDefinition<A> {
  /** The name in the store: unique, and unchanged while steps of the kind are stored. */
  readonly name: string
  /** Ids and numbers; never a secret, because steps are stored in plain text. */
  readonly payload: Schema.Codec<A, unknown>
  /** Attempts before a step is dead-lettered, at least 1; default: 10. */
  readonly maxAttempts: number
  /**
   * The delay between two attempts; stores round up to whole seconds. Default: one second, doubling to five minutes,
   * with a jitter of a fifth.
   */
  readonly retry?: Schedule.Schedule<unknown, number>
  /** Steps that one process runs at once; default: 4. */
  readonly concurrency: number
  /** The timeout of an attempt in milliseconds; default: 60,000. */
  readonly timeoutMillis: number
}

/** A stored step. */
interface JobEnvelope<A> {
  readonly id: string
  readonly payload: A
  /** When it was offered, in milliseconds since the epoch. */
  readonly offeredAt?: number
}

export interface JobKind<A> extends JobKindDefinition<A> {
  /** The codec of stored steps. */
  readonly envelope: Schema.Codec<JobEnvelope<A>, unknown>
}

/** Makes a kind; omitted fields have defaults. */
export const make = <A>(
  kind: Pick<JobKindDefinition<A>, "name" | "payload"> & Partial<JobKindDefinition<A>>
): JobKind<A> => ({
  maxAttempts: 10,
  concurrency: 4,
  timeoutMillis: 60_000,
  ...kind,
  // Made once, because every new schema is compiled at its first use.
  envelope: Schema.toCodecJson(
    Schema.Struct({
      id: Schema.String,
      payload: kind.payload,
      offeredAt: Schema.optionalKey(Schema.Finite)
    })
  )
})

/** Starts the workers that are started on demand; without any, it does nothing. */
export const OnJobOffer: Context.Reference<() => void> = Context.Reference(
  "@signalbox/core/engine/jobs/OnJobOffer",
  { defaultValue: () => () => {} }
)
