/** Shuts down on Ctrl-C and SIGTERM; a second signal of the same kind ends the process at once. */
import { setTimeout } from "node:timers/promises"
import type { Signalbox } from "@signalbox/core"

/**
 * Milliseconds between "not ready" and `stop`, in which a load balancer notices: its probe interval times its failure
 * threshold. By default none.
 */
const noticeMillis = Number(process.env["DRAIN_NOTICE_MILLIS"] ?? 0)

/** `instance` reports not ready from the signal on. */
export const stopOnSignal = (stop: () => Promise<unknown>, instance?: Signalbox): void => {
  const begin = async () => {
    instance?.drain()
    await setTimeout(noticeMillis)
    await stop()
  }
  process.once("SIGINT", () => void begin())
  process.once("SIGTERM", () => void begin())
}
