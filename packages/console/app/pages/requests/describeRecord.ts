/** What came of a request, as a sentence or two. Pure. */
import { formatMillis } from "../../format/format.ts"
import type { RequestRecord } from "./RequestRecord.ts"

type Attempt = RequestRecord["attempts"][number]
type DescribedAttempt = Pick<Attempt, "lost" | "outcome" | "provider_name" | "status">
type Described = Pick<
  RequestRecord,
  "exceeded_limit" | "latency" | "outcome" | "provider_name" | "queue_wait" | "rejected"
> & {
  readonly attempts: ReadonlyArray<DescribedAttempt>
  readonly cache: Pick<NonNullable<RequestRecord["cache"]>, "status"> | null
}

/** "Answered in 1.60 s by Northwind after Driftwood returned 503. It waited 400 ms in the request queue." */
export const describeRecord = (record: Described): string =>
  record.queue_wait > 0
    ? `${describeEnd(record)} It waited ${formatMillis(record.queue_wait)} in the request queue.`
    : describeEnd(record)

const describeEnd = (record: Described): string => {
  const { attempts, cache, latency, outcome, provider_name: provider } = record
  const failures = joinWords(attempts.filter(isFailure).map(describeFailure))
  const time = formatMillis(latency)
  if (outcome === "answered") {
    const by =
      cache?.status === "hit"
        ? " from the response cache"
        : provider === null
          ? ""
          : ` by ${provider}`
    const lost = attempts.filter(({ lost }) => lost).map(({ provider_name: name }) => name)
    return [
      `Answered in ${time}${by}`,
      ...(failures === "" ? [] : [`after ${failures}`]),
      ...(lost.length === 0 ? [] : [`before ${joinWords(lost)}, which was asked beside it`])
    ]
      .join(" ")
      .concat(".")
  }
  if (["Interrupted", "VideoCancelled"].includes(outcome)) {
    return `Ended by its caller after ${time}${failures === "" ? "" : `, after ${failures}`}.`
  }
  if (failures !== "") return `Failed after ${time}: ${failures}.`
  return `Refused after ${time}, and no provider was asked: ${describeRefusal(record)}.`
}

const describeRefusal = ({ exceeded_limit: limit, outcome, rejected }: Described): string => {
  if (limit !== null)
    return `it might have exceeded the ${limit.interval} limit of the ${limit.kind}`
  return rejected.length === 0
    ? outcome
    : `rules left out ${rejected.length === 1 ? "the endpoint" : "every endpoint"} (${outcome})`
}

const isFailure = ({ lost, outcome }: DescribedAttempt): boolean =>
  !lost && !["served", "interrupted", "lost", "unread"].includes(outcome)

/** What a provider did, where it gave no status. */
const failures: Readonly<Record<string, string>> = {
  timeout: "did not answer in time",
  unreachable: "could not be reached",
  invalid_answer: "sent an answer that makes no sense",
  defect: "could not be asked, because its upstream has a defect"
}

const describeFailure = ({ outcome, provider_name: name, status }: DescribedAttempt): string => {
  if (status !== null && status >= 400) return `${name} returned ${status}`
  return `${name} ${Object.hasOwn(failures, outcome) ? failures[outcome] : `failed with ${outcome}`}`
}

/** "A, B and C"; the same words once. */
const joinWords = (all: ReadonlyArray<string>): string => {
  const words = Array.from(new Set(all))
  const last = words.at(-1)
  return words.length < 2 ? (last ?? "") : `${words.slice(0, -1).join(", ")} and ${last}`
}
