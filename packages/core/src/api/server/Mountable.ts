/** What a host adapter mounts. */
import type * as Context from "effect/Context"
import type { Drain } from "../../instance/Drain.ts"
import type { App } from "./App.ts"

/** An instance, or the console of one. */
export interface Mountable {
  /** The services, for adapters. */
  readonly context: Context.Context<App | Drain>
}
