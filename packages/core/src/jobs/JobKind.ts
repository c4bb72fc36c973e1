/** One kind of step: what it carries, and how it is tried. */
import * as Schedule from "effect/Schedule"
import * as Schema from "effect/Schema"

interface JobKindDefinition<A> {
  /** Names it in the store for as long as steps of it wait there: never change it, nor use it twice. */
  readonly name: string
  /** Ids and numbers; never a secret, since steps lie in the store as they are. */
  readonly payload: Schema.Codec<A, unknown>
  /** How often a step is tried before it is dead, 1 or more; default: 10. */
  readonly maxAttempts: number
  /**
   * Time between two attempts, by the number of those made; stores round up to whole seconds. Default: a
   * second, doubling to five minutes, each a fifth longer or shorter.
   */
  readonly retry: Schedule.Schedule<unknown, number>
  /** How many steps of it one process runs at once; default: 4. */
  readonly concurrency: number
  /** Milliseconds one attempt may take; default: 60,000. */
  readonly timeoutMillis: number
}

/** What a step carries, and whose it is. */
interface JobEnvelope<A> {
  readonly id: string
  readonly payload: A
  /** When it was offered, in milliseconds since the epoch. */
  readonly offeredAt?: number
}

export interface JobKind<A> extends JobKindDefinition<A> {
  /** What lies in the store. */
  readonly envelope: Schema.Codec<JobEnvelope<A>, unknown>
}

/** Say what differs from the defaults. */
export const make = <A>(
  kind: Pick<JobKindDefinition<A>, "name" | "payload"> & Partial<JobKindDefinition<A>>
): JobKind<A> => ({
  maxAttempts: 10,
  retry: exponentialBackoff,
  concurrency: 4,
  timeoutMillis: 60_000,
  ...kind,
  // Made once: a schema that is new at every offer is compiled at every offer.
  envelope: Schema.toCodecJson(
    Schema.Struct({
      id: Schema.String,
      payload: kind.payload,
      offeredAt: Schema.optionalKey(Schema.Finite)
    })
  )
})

const exponentialBackoff = Schedule.min([
  Schedule.exponential("1 second"),
  Schedule.spaced("5 minutes")
]).pipe(Schedule.jittered)
