import { SignalboxDecisionModel } from "@signalbox/core/ai"
import { fault } from "@signalbox/testing"
import * as Decision from "effect/ai/Decision"
import * as DecisionModel from "effect/ai/DecisionModel"
import * as Schema from "effect/Schema"
import { expect, test } from "vitest"
import { flipReason, startAi } from "./startAi.ts"

const triage = Decision.make({
  input: Schema.Struct({ subject: Schema.String }),
  decisions: {
    urgent: Decision.probability({
      instructions: "The message is urgent",
      criteria: { true: "Needs action now", false: "Can wait" }
    }),
    team: Decision.classify({
      instructions: "Who handles it?",
      criteria: { billing: "payments", technical: null }
    }),
    severity: Decision.rate({
      instructions: "How severe is it?",
      criteria: ["none", { label: "some", description: "Hurts" }, "blocking"]
    })
  }
})
const input = { subject: "Charged twice" }
// A provider without a script gives the first of n options the weight n, the next n - 1, and so on.
test("a decision has the probabilities of every answer, its usage and how it was routed", async () => {
  const { readRecord, run } = await startAi()
  const { answers, id, metadata, modelId, usage } = await run(
    DecisionModel.decide(triage, { input })
  )
  expect(answers.urgent.probability).toBeCloseTo(2 / 3)
  expect(answers.team.label).toBe("billing")
  expect(answers.team.probabilities.billing).toBeCloseTo(2 / 3)
  expect(answers.severity.label).toBe("none")
  expect(answers.severity.rating).toBeCloseTo(2 / 3)
  expect(answers.severity.probabilities.some).toBeCloseTo(1 / 3)
  expect(usage.inputTokens).toBeGreaterThan(0)
  expect(modelId).toBe("sea/pilot")
  expect(metadata.signalbox).toMatchObject({
    generationId: id,
    provider: "first",
    cost: expect.any(Number),
    routing: { attempts: expect.anything() }
  })
  expect(await readRecord(id)).toMatchObject({ id, provider_name: "first" })
})

test("an image is sent behind the reference by which the input names it", async () => {
  const { first, run } = await startAi()
  const photo = { mediaType: "image/png", data: "AQID" }
  const definition = Decision.make({
    input: Schema.Struct({ photo: Decision.Image }),
    decisions: { urgent: triage.decisions.urgent }
  })
  await run(DecisionModel.decide(definition, { input: { photo } }))
  const sent = JSON.stringify(first.requests[0]?.body)
  expect(sent).toContain("data:image/png;base64,AQID")
  const [, reference = "none"] = /The image ([0-9a-f-]{36}):/.exec(sent) ?? []
  expect(sent.split(reference)).toHaveLength(3)
})

test("settings of the call take precedence, and failures have the facts", async () => {
  const { first, run, second } = await startAi()
  second.always(fault.status(503))
  const reason = await run(
    flipReason(
      DecisionModel.decide(triage, { input }).pipe(
        SignalboxDecisionModel.withConfigOverride({ provider: { only: ["second"] } })
      )
    )
  )
  expect(reason).toMatchObject({
    _tag: "InternalProviderError",
    metadata: { signalbox: { error: "AttemptsFailed" } }
  })
  expect(first.requests).toEqual([])
})
