/** What the providers of a world have billed for the requests of some callers. */
import type { Exchange } from "../Client.ts"
import type { Bill } from "../Provider.ts"
import { type StudioJob, videoNano } from "../VideoStudio.ts"
import type { World } from "../World.ts"

/** All are in nano-USD. */
export interface BillSums {
  /** The processes know of it, so it must be charged, and nothing else. */
  readonly delivered: bigint
  /** What may be charged besides: the outcome of some calls is unknown, or the answer broke off. */
  readonly uncertain: bigint
}

/** `countsByok`: whether bills to the customer's own credential count. */
export const sumBills = (
  world: World,
  concerns: (exchange: Exchange) => boolean,
  countsByok = false
): BillSums => {
  const counts = ({ credential }: Pick<Bill, "credential">) =>
    countsByok || credential === undefined
  const byRequest = new Map<string, Array<Bill>>()
  for (const bill of world.providers.flatMap(({ bills }) => bills)) {
    const bills = byRequest.get(bill.request) ?? []
    bills.push(bill)
    byRequest.set(bill.request, bills)
  }
  let delivered = 0n
  let uncertain = 0n
  for (const exchange of world.client.exchanges.filter(concerns)) {
    if (exchange.kind === "video") {
      const videos = sumVideos(world, exchange, counts)
      delivered += videos.delivered
      uncertain += videos.uncertain
      continue
    }
    for (const bill of byRequest.get(exchange.id) ?? []) {
      if (bill.isDelivered && counts(bill)) delivered += bill.nanoUsd
    }
    if (!isCertain(world, exchange)) uncertain += maxAttempts(exchange) * maxAttemptNano
  }
  return { delivered, uncertain }
}

/** A video is billed when it is made; a repeated submission is none of its own. */
const sumVideos = (
  { providers }: World,
  { id, status }: Exchange,
  counts: (job: StudioJob) => boolean
): BillSums => {
  const made = providers.flatMap(({ studio }) =>
    studio.jobs.filter((job) => job.request === id && !job.fails && counts(job))
  )
  const isUnclear = status !== 202 || providers.some(({ studio }) => studio.unclear.has(id))
  return {
    delivered: isUnclear ? 0n : BigInt(made.length) * videoNano,
    uncertain: isUnclear ? 2n * videoNano : 0n
  }
}

/** Whether its cost is exactly what its delivered bills say. A refused request costs nothing. */
const isCertain = (world: World, { id, outcome, process, status = 0 }: Exchange): boolean =>
  outcome === "complete" &&
  (status === 200 || (status >= 400 && status <= 499)) &&
  !world.killed.has(process) &&
  !world.providers.some(({ unclear }) => unclear.has(id))

/** As many endpoints as the model has, for each call of it; a turn has two at most. */
const maxAttempts = ({ kind }: Exchange): bigint => (kind === "turn" ? 4n : 2n)
/** More than the worst case of a request. */
const maxAttemptNano = 300_000n
