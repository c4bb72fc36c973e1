/** Fills an instance with something to look at on every page of the console, and keeps it busy. */
import type { Signalbox } from "@signalbox/core"
import { openAccount } from "./openAccount.ts"
import { openInterns } from "./openInterns.ts"
import { openWebhooks } from "./openWebhooks.ts"
import { startTraffic } from "./startTraffic.ts"

/** `origin` is where the server listens. The traffic ends with `signal`. */
export const startDemo = async (
  instance: Signalbox,
  origin: string,
  signal: AbortSignal
): Promise<void> => {
  const keys = await openAccount(instance)
  await openWebhooks(instance, origin)
  await openInterns(instance, { kind: "member", user: "demo-user" })
  startTraffic(instance, keys, signal)
}
