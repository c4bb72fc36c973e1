/** Decides whether a failed request is repeated, and when: never if that might run a model or create something twice. */
import { ConnectionError, ResponseError } from "./ClientError.ts"

/** A server that asks for more is left alone, and the caller decides. */
const maxDelayMillis = 60_000

/** Statuses of requests that may have had an effect. */
const uncertainStatuses: ReadonlySet<number> = new Set([408, 500, 502, 504, 524, 529])

/** In milliseconds; undefined if the request is not repeated. */
export const findRetryDelay = (
  error: unknown,
  attempt: number,
  isRepeatable: boolean,
  random: () => number = Math.random
): number | undefined => {
  // Full jitter, so that the clients of a server do not return all at once.
  const backoff = random() * Math.min(8_000, 500 * 2 ** attempt)
  if (error instanceof ConnectionError) return isRepeatable ? backoff : undefined
  if (!(error instanceof ResponseError) || error.facts.retryable === false) return undefined
  const { retryAfterMillis: asked = 0, status } = error
  const isRefused = status === 429 || status === 503
  if (!isRefused && !(isRepeatable && uncertainStatuses.has(status))) return undefined
  return asked > maxDelayMillis ? undefined : Math.max(asked, backoff)
}

/** Parses the header: whole seconds, or a date. */
export const parseRetryAfter = (
  header: string | null,
  now: () => number = Date.now
): number | undefined => {
  if (header === null) return undefined
  const millis = /^\d+$/.test(header) ? Number(header) * 1_000 : Date.parse(header) - now()
  return Number.isNaN(millis) ? undefined : Math.max(0, millis)
}
