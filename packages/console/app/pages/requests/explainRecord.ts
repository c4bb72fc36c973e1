/** Where the time and the money of a request went, as a sentence each. Pure. */
import { formatCount, formatMillis, formatMoney } from "../../format/format.ts"
import type { RequestRecord } from "./RequestRecord.ts"

type Attempt = RequestRecord["attempts"][number]
type TimedAttempt = Pick<
  Attempt,
  "connection_wait" | "latency" | "lost" | "outcome" | "provider_name" | "time_to_first_token"
> & { readonly usage: Pick<NonNullable<Attempt["usage"]>, "tokens_completion"> | null }

type Timed = Pick<RequestRecord, "queue_wait"> & { readonly attempts: ReadonlyArray<TimedAttempt> }

/** "Most of it, 1.20 s, was the wait for the first token of Northwind." Undefined where nothing took any time. */
export const explainTime = ({ attempts, queue_wait: queued }: Timed): string | undefined => {
  const parts = [
    { millis: queued, what: "the wait in the request queue" },
    ...attempts.flatMap(toParts)
  ]
  const [longest] = parts.toSorted((one, other) => other.millis - one.millis)
  return longest === undefined || longest.millis <= 0
    ? undefined
    : `Most of it, ${formatMillis(longest.millis)}, was ${longest.what}.`
}

const toParts = ({
  connection_wait: wait,
  latency,
  lost,
  outcome,
  provider_name: name,
  time_to_first_token: first,
  usage
}: TimedAttempt): ReadonlyArray<{ readonly millis: number; readonly what: string }> => {
  // It ran beside the attempt that answered.
  if (lost) return []
  const waited = { millis: wait, what: `the wait for a free connection to ${name}` }
  if (outcome !== "served") {
    return [waited, { millis: latency, what: `an attempt at ${name} that failed` }]
  }
  if (first === null) return [waited, { millis: latency, what: `the answer of ${name}` }]
  const tokens = usage?.tokens_completion ?? 0
  return [
    waited,
    { millis: first, what: `the wait for the first token of ${name}` },
    {
      millis: latency - first,
      what: `the answer of ${name} after its first token${tokens > 0 ? `, of ${formatCount(tokens)} tokens` : ""}`
    }
  ]
}

type Priced = Pick<RequestRecord, "cost"> & {
  readonly usage: Pick<
    NonNullable<RequestRecord["usage"]>,
    "tokens_cached" | "tokens_completion" | "tokens_prompt"
  > | null
  readonly attempts: ReadonlyArray<Pick<Attempt, "cost" | "outcome">>
}

/** "It cost $0.021 for 40,000 tokens in, 200 of them from a cache, and 30 out." Undefined where it cost nothing. */
export const explainCost = ({ attempts, cost, usage }: Priced): string | undefined => {
  if (cost === null || cost === 0) return undefined
  const total = `It cost ${formatMoney(cost)}`
  const used =
    usage === null || usage.tokens_prompt + usage.tokens_completion === 0
      ? ""
      : ` for ${describeTokens(usage)}`
  const wasted = attempts
    .filter(({ outcome }) => outcome !== "served")
    .reduce((sum, attempt) => sum + (attempt.cost ?? 0), 0)
  const failed = wasted === 0 ? "" : `; ${formatMoney(wasted)} of it for attempts without an answer`
  return `${total}${used}${failed}.`
}

const describeTokens = ({
  tokens_cached: cached,
  tokens_completion: out,
  tokens_prompt: prompt
}: NonNullable<Priced["usage"]>): string =>
  (cached ?? 0) > 0
    ? `${formatCount(prompt)} tokens in, ${formatCount(cached)} of them from a cache, and ${formatCount(out)} out`
    : `${formatCount(prompt)} tokens in and ${formatCount(out)} out`
