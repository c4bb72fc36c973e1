import { expect, it } from "vitest"
import { type Attempt, listRequestSteps } from "../../app/pages/requests/listRequestSteps.ts"

const attempt = (latency: number, rest: Partial<Attempt> = {}): Attempt => ({
  endpoint_id: "a/b@one",
  provider_name: "One",
  outcome: "served",
  status: 200,
  latency,
  queue_wait: 0,
  connection_wait: 0,
  time_to_first_token: null,
  hedge: false,
  lost: false,
  credential_id: null,
  dropped_parameters: [],
  is_estimated: false,
  implausible_report: null,
  usage: null,
  cost: null,
  upstream_inference_cost: null,
  is_byok: false,
  ...rest
})

const toBars = (attempts: ReadonlyArray<Attempt>, queueWait: number) =>
  listRequestSteps({ attempts, queue_wait: queueWait }).map(({ attempt, duration, start }) => [
    attempt === undefined ? "queue" : "attempt",
    start,
    duration
  ])

it("has attempts alone where the request did not wait", () => {
  expect(toBars([attempt(100)], 0)).toEqual([["attempt", 0, 100]])
})

it("has each wait before the attempt that followed it", () => {
  const waited = attempt(50, { queue_wait: 300, connection_wait: 40 })
  expect(toBars([attempt(100), waited], 300)).toEqual([
    ["attempt", 0, 100],
    ["queue", 100, 300],
    ["attempt", 440, 50]
  ])
})

it("ends with a wait that was in vain", () => {
  expect(toBars([], 250)).toEqual([["queue", 0, 250]])
  expect(toBars([attempt(100)], 250)).toEqual([
    ["attempt", 0, 100],
    ["queue", 100, 250]
  ])
})
