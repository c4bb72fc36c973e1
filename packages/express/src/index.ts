/** Mounts Signalbox in Express 4 and 5. */
import { type Listener, type Signalbox, signalbox as listener } from "@signalbox/node"

export type { Listener }

/**
 * A middleware for an application or a router, at any path: what is not ours goes on to your other
 * routes, its body unread. Mount it before `express.json()`, which would refuse bodies above 100 kB
 * with a page of its own; after it works for smaller ones.
 *
 * ```ts
 * app.use("/ai", signalbox(box))
 * ```
 */
export const signalbox = (instance: Signalbox): Listener => listener(instance)
