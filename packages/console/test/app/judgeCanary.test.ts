import { describe, expect, it } from "vitest"
import type { Arm, Experiment } from "../../app/pages/experiments/Experiment.ts"
import { answerExperiment } from "../../app/pages/experiments/judgeCanary.ts"

const makeArm = (change: Partial<Arm> = {}): Arm => ({
  requests: 1_000,
  errors: 10,
  // Wilson's, of 10 in 1,000.
  errors_interval: { low: 0.0054, high: 0.0183 },
  latency_p50: 500,
  latency_p95: 1_000,
  latency_p95_interval: { low: 950, high: 1_050 },
  cost: 1,
  cost_per_request: 0.001,
  cost_per_request_interval: { low: 0.00095, high: 0.00105 },
  feedback: {},
  ...change
})

const make = (trial: Partial<Arm>, change: Partial<Experiment> = {}): Experiment => {
  const [control, tried] = [makeArm(), makeArm(trial)]
  return {
    id: "1",
    mode: "canary",
    match: { model: "usual", operation: null, account: null },
    to: "new",
    share: 0.5,
    budget: null,
    status: "running",
    run: 1,
    started_at: "2026-11-30T00:00:00.000Z",
    ended_at: null,
    cause: null,
    control,
    trial: tried,
    rollback: {
      min_requests: 200,
      max_error_share: 0.06,
      max_latency_p95: 1_500,
      control,
      trial: tried
    },
    agreement: { compared: 0, agreed: 0, share: null },
    skipped: 0,
    ...change
  }
}

const faster = { latency_p95: 500, latency_p95_interval: { low: 450, high: 550 } }
const slower = { latency_p95: 1_300, latency_p95_interval: { low: 1_200, high: 1_400 } }
const failing = { errors: 40, errors_interval: { low: 0.0295, high: 0.054 } }

describe("whether a canary is better", () => {
  it.each([
    ["Yes: new fails as rarely as far as one can tell, is faster and costs about as much", faster],
    [
      "Yes: new fails as rarely as far as one can tell, is about as fast and costs −50 %",
      { cost_per_request: 0.0005, cost_per_request_interval: { low: 0.00045, high: 0.00055 } }
    ],
    ["It depends: new fails more often, is faster", { ...faster, ...failing }],
    ["No: new fails more often, is slower", { ...slower, ...failing }],
    ["It makes no difference: ", { errors: 12, errors_interval: { low: 0.0069, high: 0.0209 } }]
  ])("is answered with %j", (answer, trial) => {
    expect(answerExperiment(make(trial)).slice(0, answer.length)).toBe(answer)
  })

  it("is open until both sides have enough requests", () => {
    expect(answerExperiment(make({ ...faster, requests: 150 }))).toBe(
      "It is too early to say: new needs 50 more requests before it can be judged."
    )
  })

  it("is no once it was rolled back", () => {
    const experiment = make(faster, { status: "rolled_back", cause: "it failed" })
    expect(answerExperiment(experiment)).toBe("No: new was rolled back, because it failed.")
  })

  it("does not take differences of chance for more", () => {
    expect(
      answerExperiment(make({ latency_p95: 900, latency_p95_interval: { low: 840, high: 960 } }))
    ).toMatch(/^It makes no difference/)
    const dearer = { cost_per_request: 0.0011 }
    expect(
      answerExperiment(
        make({ ...dearer, cost_per_request_interval: { low: 0.0009, high: 0.0013 } })
      )
    ).toMatch(/^It makes no difference: .* costs \+10 % per request, which may be chance\.$/)
    // A run that an earlier version began has no intervals.
    expect(answerExperiment(make({ ...dearer, cost_per_request_interval: null }))).toMatch(
      /^No: .* costs \+10 % per request\.$/
    )
  })
})

describe("whether a shadow would answer the same", () => {
  it("says in how many answers it agrees", () => {
    const agreement = { compared: 390, agreed: 351, share: 0.9 }
    expect(answerExperiment(make({}, { mode: "shadow", rollback: null, agreement }))).toBe(
      "new agrees in 90 % of 390 compared answers, is about as fast and costs about as much per request."
    )
  })

  it("is open before any answer is compared", () => {
    expect(answerExperiment(make({}, { mode: "shadow", rollback: null }))).toMatch(
      /^It is too early/
    )
  })
})
