/** Mounts Signalbox in Express 4 and 5. */
import { type Listener, type Mountable, signalbox as listener } from "@signalbox/node"
import type { Request } from "express"

export { type Options, Signalbox } from "./Signalbox.ts"
export { SignalboxError } from "@signalbox/node"
export type { Listener }

/**
 * A middleware for an application or a router, at any path. Requests for other paths continue to your routes with their
 * bodies unread. Mount it before `express.json()`, which rejects bodies above 100 kB with an HTML page. Smaller bodies
 * also work after it.
 *
 * ```ts
 * app.use("/ai", signalbox(instance))
 * ```
 */
export const signalbox = (mountable: Mountable<Request>): Listener =>
  // Safe: Express calls it with its own requests alone.
  listener(mountable as Mountable)
