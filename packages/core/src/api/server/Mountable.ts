/** What adapters mount in a host. */
import type * as Context from "effect/Context"
import type { Drain } from "../../instance/Drain.ts"
import type { App } from "./App.ts"
import type { WebHandler } from "./makeWebHandler.ts"

/**
 * An instance, or the console of one. It is mounted where the host's own requests are of the type `Source`, which its
 * functions get as `source`; `unknown` is anywhere.
 */
export interface Mountable<Source = unknown> {
  /** The services, for adapters. */
  readonly context: Context.Context<App | Drain>
  /** The handler of web-standard requests. */
  readonly fetch?: WebHandler<Source>
}
