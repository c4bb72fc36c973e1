import { expect, test } from "vitest"
import { describeRecord } from "../../app/pages/requests/describeRecord.ts"

const attempt = (
  provider: string,
  outcome: string,
  status: number | null = null,
  lost = false
) => ({
  provider_name: provider,
  outcome,
  status,
  lost
})

const answered = {
  cache: null,
  exceeded_limit: null,
  latency: 1_600,
  outcome: "answered",
  provider_name: "Northwind",
  queue_wait: 0,
  rejected: [],
  attempts: [attempt("Northwind", "served", 200)]
}
const failed = { ...answered, outcome: "AttemptsFailed", provider_name: null }

test.each([
  ["Answered in 1.60 s by Northwind.", answered],
  [
    "Answered in 1.60 s by Northwind after Driftwood returned 503.",
    { ...answered, attempts: [attempt("Driftwood", "overloaded", 503), ...answered.attempts] }
  ],
  [
    "Answered in 1.60 s by Northwind after Driftwood returned 503, A did not answer in time and B failed with odd.",
    {
      ...answered,
      attempts: [
        attempt("Driftwood", "overloaded", 503),
        attempt("Driftwood", "overloaded", 503),
        attempt("A", "timeout"),
        attempt("B", "odd"),
        ...answered.attempts
      ]
    }
  ],
  [
    "Answered in 1.60 s by Northwind before Driftwood, which was asked beside it.",
    { ...answered, attempts: [attempt("Driftwood", "lost", null, true), ...answered.attempts] }
  ],
  [
    "Answered in 1.60 s by Northwind. It waited 400 ms in the request queue.",
    { ...answered, queue_wait: 400 }
  ],
  [
    "Answered in 1.60 s from the response cache.",
    { ...answered, attempts: [], cache: { status: "hit" as const } }
  ],
  [
    "Failed after 1.60 s: Driftwood could not be reached.",
    { ...failed, attempts: [attempt("Driftwood", "unreachable")] }
  ],
  [
    "Ended by its caller after 1.60 s.",
    { ...failed, outcome: "Interrupted", attempts: [attempt("Driftwood", "interrupted")] }
  ],
  [
    "Refused after 1.60 s, and no provider was asked: NoEndpoint.",
    { ...failed, outcome: "NoEndpoint", attempts: [] }
  ],
  [
    "Refused after 1.60 s, and no provider was asked: it might have exceeded the monthly limit of the key.",
    {
      ...failed,
      outcome: "LimitExceeded",
      attempts: [],
      exceeded_limit: {
        kind: "key",
        name: null,
        interval: "monthly",
        limit_usd: 1,
        required_usd: 2,
        available_usd: 1
      }
    }
  ]
])("%s", (sentence, record) => {
  expect(describeRecord(record)).toBe(sentence)
})
