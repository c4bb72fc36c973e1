/** Mounts Signalbox in Express 4 and 5. */
import { type Listener, type Mountable, signalbox as listener } from "@signalbox/node"

export { type Options, Signalbox, SignalboxError } from "@signalbox/node"
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
export const signalbox = (mountable: Mountable): Listener => listener(mountable)
