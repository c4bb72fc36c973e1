/** What tells this process from the others on the same store. */
import * as Clock from "effect/Clock"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"

/** The id and the start of this process, by which reports of several processes are told apart. */
export class ThisProcess extends Context.Service<
  ThisProcess,
  {
    /** Random, new at each start. */
    readonly id: string
    /** Milliseconds since the epoch. */
    readonly startedAt: number
    /**
     * How many processes the store has had lately, with this one. 1 where it serves one process, and until it was asked; during an
     * outage the last number holds.
     */
    fleetSize: number
    /** The longest delay of a timer in the last seconds, in whole milliseconds; absent: it is not measured. */
    eventLoop?: { readonly millis: number }
  }
>()("@signalbox/core/instance/ThisProcess") {
  static readonly layer = Layer.effect(
    ThisProcess,
    Effect.map(Clock.currentTimeMillis, (startedAt) => ({
      id: crypto.randomUUID(),
      startedAt,
      fleetSize: 1
    }))
  )
}
