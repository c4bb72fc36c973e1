/** Fills an instance with something to look at on every page of the console, and keeps it busy. */
import type { Signalbox } from "@signalbox/core"
import { labelDecisions } from "../history/labelDecisions.ts"
import { seedHistory } from "../history/seedHistory.ts"
import { openAccount } from "./openAccount.ts"
import { openInterns } from "./openInterns.ts"
import { openWebhooks } from "./openWebhooks.ts"
import { startTraffic } from "./startTraffic.ts"

interface DemoOptions {
  /** Where the receivers of webhooks listen; undefined where events may not go to this machine. */
  readonly receiversOrigin: string | undefined
  /** Ends the traffic. */
  readonly signal: AbortSignal
}

export const startDemo = async (
  instance: Signalbox,
  { receiversOrigin, signal }: DemoOptions
): Promise<void> => {
  const keys = await openAccount(instance)
  const isNew = await seedHistory(instance, keys, Date.now())
  if (receiversOrigin !== undefined) await openWebhooks(instance, receiversOrigin)
  await openInterns(instance, { kind: "member", user: "demo-user" })
  startTraffic(instance, keys, signal)
  if (isNew) await labelDecisions(instance, signal)
}
