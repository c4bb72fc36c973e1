/** A video is made once, however often it is submitted, and by whichever process. */
import type { World } from "../World.ts"
import { findVideos } from "./findVideos.ts"

export const noJobRunsTwice = async (world: World): Promise<ReadonlyArray<string>> => {
  const found: Array<string> = []
  const jobs = world.providers.flatMap(({ studio }) => studio.jobs)
  const made = new Map<string, number>()
  for (const { request } of jobs) made.set(request, (made.get(request) ?? 0) + 1)
  for (const [request, count] of made) {
    if (count > 1) found.push(`the video of ${request} was made ${count} times`)
  }
  const ids = new Map<string, string>()
  for (const { exchange, job } of await findVideos(world)) {
    const key = exchange.headers?.["idempotency-key"] ?? exchange.id
    const id = job?.id ?? "none"
    if ((ids.get(key) ?? id) !== id) found.push(`${key} has the jobs ${ids.get(key)} and ${id}`)
    ids.set(key, id)
  }
  return found
}
