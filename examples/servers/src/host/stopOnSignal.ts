/** Shuts down on Ctrl-C and SIGTERM; a second signal of the same kind ends the process at once. */
import { setTimeout } from "node:timers/promises"
import type { Signalbox } from "@signalbox/core"

/**
 * Time in milliseconds between "not ready" and `stop`, for a load balancer to notice: its probe interval times the
 * failures it waits for. None on a laptop.
 */
const noticeMillis = Number(process.env["DRAIN_NOTICE_MILLIS"] ?? 0)

/** `instance` is what readiness is asked of, where there is one. */
export const stopOnSignal = (stop: () => Promise<unknown>, instance?: Signalbox): void => {
  const begin = async () => {
    instance?.drain()
    await setTimeout(noticeMillis)
    await stop()
  }
  process.once("SIGINT", () => void begin())
  process.once("SIGTERM", () => void begin())
}
