/** A fault that is put into a simulated world on purpose, to show that the simulation finds it. */
import type { Stores } from "@signalbox/core/stores"
import type { Upstream } from "@signalbox/core/upstream"
import type * as Context from "effect/Context"
import type { RunningProcess } from "../Process.ts"

export interface PlantedFault {
  /** What is wrong, in a few words. */
  readonly name: string
  /** The invariant that it breaks. */
  readonly breaks: string
  /** Replaces stores of the database. */
  readonly database?: (stores: Context.Context<Stores>) => Context.Context<Stores>
  /** Replaces stores as a process sees them. */
  readonly process?: (stores: Context.Context<Stores>) => Context.Context<Stores>
  /** Replaces how a process calls a provider. */
  readonly upstream?: (upstream: Upstream) => Upstream
  /** Replaces how a process answers. */
  readonly fetch?: (fetch: RunningProcess["fetch"]) => RunningProcess["fetch"]
}
