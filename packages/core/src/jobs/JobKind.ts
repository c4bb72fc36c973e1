/** One kind of step: what it carries, and how it is tried. */
import * as Schedule from "effect/Schedule"
import * as Schema from "effect/Schema"

export interface JobKind<A> {
  /** Names it in the store for as long as steps of it wait there: never change it, nor use it twice. */
  readonly name: string
  /** Ids and numbers; never a secret, since steps lie in the store as they are. */
  readonly payload: Schema.Codec<A, unknown>
  /** How often a step is tried before it is dead, 1 or more. */
  readonly attempts: number
  /** Time between two attempts, by the number of those made; stores round up to whole seconds. */
  readonly retry: Schedule.Schedule<unknown, number>
  /** How many steps of it one process runs at once. */
  readonly concurrency: number
  /** Milliseconds one attempt may take. */
  readonly deadlineMillis: number
}

/** One second, doubling to five minutes, each a fifth longer or shorter. */
const doubling = Schedule.min([
  Schedule.exponential("1 second"),
  Schedule.spaced("5 minutes")
]).pipe(Schedule.jittered)

/** Ten attempts within about nine minutes, four steps at once, a minute each, unless it says otherwise. */
export const make = <A>(
  kind: Pick<JobKind<A>, "name" | "payload"> & Partial<JobKind<A>>
): JobKind<A> => ({
  attempts: 10,
  retry: doubling,
  concurrency: 4,
  deadlineMillis: 60_000,
  ...kind
})

/** What lies in the store: the thing the step belongs to beside what it carries. */
const envelopeOf = <A>({ payload }: JobKind<A>) =>
  Schema.toCodecJson(Schema.Struct({ id: Schema.String, payload }))

export const encoderOf = <A>(kind: JobKind<A>) => Schema.encodeEffect(envelopeOf(kind))
export const decoderOf = <A>(kind: JobKind<A>) => Schema.decodeUnknownResult(envelopeOf(kind))
