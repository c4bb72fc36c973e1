/** Requests that wait until one of their endpoints has room, in the order in which they are served. */
import type { Caller } from "../../../tenants/auth/Caller.ts"
import { toCustomerKey } from "../../../tenants/auth/rateLimits/RequestLimiter.ts"
import type { OperationName } from "../../../values/OperationName.ts"
import type { Tags } from "../../../values/Tags.ts"
import type { Candidate } from "../../Candidate.ts"
import type { CapabilityTraits, RouteQuery } from "../../RouteQuery.ts"

/** A request that may have to wait. */
export interface QueuedRequest {
  readonly account: string
  readonly workspace: string
  readonly user?: string
  readonly tags?: Tags
  readonly operation: OperationName
  /** The requested model and its fallbacks. */
  readonly models: ReadonlyArray<string>
  /** The service tier that it asks for; absent: none. */
  readonly tier?: "flex" | "priority" | "default"
}

/** How requests wait for endpoints at their `maxParallelRequests`. */
export interface RequestQueueOptions {
  /** Requests that wait at a time in a process, default 100; others are refused. */
  readonly maxLength?: number
  /** How long a request waits at most, in milliseconds, default 10,000. */
  readonly maxWaitMillis?: number
  /**
   * Requests with a lower number are served before all with a higher one, as in LiteLLM
   * (https://docs.litellm.ai/docs/scheduler) and vLLM. Default: -1 for the service tier `priority`, 1 for `flex`, else 0.
   */
  readonly priority?: (request: QueuedRequest) => number
}

/** Throws a `RangeError` that names the invalid option. */
export const resolveRequestQueue = (
  options: RequestQueueOptions
): Required<RequestQueueOptions> => {
  const { maxLength = 100, maxWaitMillis = 10_000, priority = byTier } = options
  for (const [name, value] of Object.entries({ maxLength, maxWaitMillis })) {
    if (!(Number.isSafeInteger(value) && value > 0)) {
      throw new RangeError(`requestQueue.${name} must be a whole number above 0, got ${value}`)
    }
  }
  return { maxLength, maxWaitMillis, priority }
}

const byTier = ({ tier }: QueuedRequest): number =>
  tier === "priority" ? -1 : tier === "flex" ? 1 : 0

export const toQueuedRequest = <Capability extends CapabilityTraits>({
  caller: { account, tags, user, workspace },
  models,
  operation,
  requirements: { tier }
}: RouteQuery<Capability>): QueuedRequest => ({
  account,
  workspace,
  ...(user === undefined ? undefined : { user }),
  ...(tags === undefined ? undefined : { tags }),
  operation,
  models,
  ...(tier === undefined ? undefined : { tier })
})

/** Whose requests have a share of an endpoint: those of a customer, or of an account. */
export const toHolder = (caller: Caller): string =>
  caller.bundle === undefined ? caller.account : toCustomerKey(caller)

export interface Waiter<Granted> {
  readonly holder: string
  readonly priority: number
  /** Where it may be served, the best first. */
  readonly candidates: ReadonlyArray<Candidate>
  readonly grant: (granted: Granted) => void
}

/**
 * Among requests of one priority, the next is of the holder with the fewest requests at the endpoint, so that none takes more than
 * its share while others wait (max-min fairness); of one holder, the first that came.
 */
export class RequestQueue<Granted> {
  /** In the order in which they came. */
  readonly #waiters = new Set<Waiter<Granted>>()
  /** Running requests, by endpoint and holder. */
  readonly #running = new Map<string, Map<string, number>>()

  get size(): number {
    return this.#waiters.size
  }

  add(waiter: Waiter<Granted>): void {
    this.#waiters.add(waiter)
  }

  remove(waiter: Waiter<Granted>): void {
    this.#waiters.delete(waiter)
  }

  /** A request of `holder` runs at the endpoint, until the returned function is called. */
  begin(endpoint: string, holder: string): () => void {
    const running = this.#running.get(endpoint) ?? new Map<string, number>()
    this.#running.set(endpoint, running)
    running.set(holder, (running.get(holder) ?? 0) + 1)
    return () => {
      const left = (running.get(holder) ?? 0) - 1
      if (left > 0) running.set(holder, left)
      else running.delete(holder)
      if (running.size === 0) this.#running.delete(endpoint)
    }
  }

  /** How many requests wait for the endpoint, be it among others. */
  countWaiting(endpoint: string): number {
    let count = 0
    for (const { candidates } of this.#waiters) {
      if (candidates.some(({ id }) => id === endpoint)) count += 1
    }
    return count
  }

  /** Undefined: none waits for the endpoint. */
  findNext(endpoint: string): Waiter<Granted> | undefined {
    const running = this.#running.get(endpoint)
    let next: Waiter<Granted> | undefined
    let fewest = 0
    for (const waiter of this.#waiters) {
      if (!waiter.candidates.some(({ id }) => id === endpoint)) continue
      const count = running?.get(waiter.holder) ?? 0
      if (
        next === undefined ||
        waiter.priority < next.priority ||
        (waiter.priority === next.priority && count < fewest)
      ) {
        next = waiter
        fewest = count
      }
    }
    return next
  }

  /** The candidates that any request waits for, each once. */
  listAwaited(): ReadonlyArray<Candidate> {
    const awaited = new Map<string, Candidate>()
    for (const { candidates } of this.#waiters) {
      for (const candidate of candidates) awaited.set(candidate.id, candidate)
    }
    return Array.from(awaited.values())
  }
}
