/** The end of each video arrives at the receiver of its tenant at least once, under one id and with one body. */
import { maxWebhookAttempts } from "../features/webhooks.ts"
import { toReceiver } from "../Receivers.ts"
import type { World } from "../World.ts"
import { listJobs } from "./findVideos.ts"

export const eventsArrive = async (world: World): Promise<ReadonlyArray<string>> => {
  const found: Array<string> = []
  const received = Map.groupBy(
    world.receivers.received,
    ({ headers }) => headers["webhook-id"] ?? "no id"
  )
  for (const { account, callbackUrl, end, id, status } of await listJobs(world)) {
    if (callbackUrl === undefined || end === undefined) continue
    const event = `${id}-${status}`
    const attempts = received.get(event) ?? []
    received.delete(event)
    const hasArrived = attempts.some((attempt) => attempt.status === 204)
    if (!hasArrived && attempts.length < maxWebhookAttempts) {
      found.push(`${event} was sent ${attempts.length} times, and did not arrive`)
    }
    const [body, ...others] = new Set(attempts.map((attempt) => attempt.body))
    if (others.length > 0) found.push(`${event} has several bodies`)
    if (body !== undefined && !body.includes(`"type":"video.generation.${status}"`)) {
      found.push(`${event} says ${body}`)
    }
    const strangers = attempts.filter(({ host }) => host !== toReceiver(account))
    if (strangers.length > 0) found.push(`${event} of ${account} went to ${strangers[0]?.host}`)
  }
  return [...found, ...[...received.keys()].map((id) => `the event ${id} tells of no end`)]
}
