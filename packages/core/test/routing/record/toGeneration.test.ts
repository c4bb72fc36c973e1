import * as Exit from "effect/Exit"
import { assert, it } from "vitest"
import { maxTextCharacters } from "../../../src/observability/generations/truncateGeneration.ts"
import { toGeneration } from "../../../src/routing/record/toGeneration.ts"
import { defaultAccountId } from "../../../src/values/ids/AccountId.ts"
import { GenerationId } from "../../../src/values/ids/GenerationId.ts"
import { defaultWorkspaceId } from "../../../src/values/ids/WorkspaceId.ts"
import { makePricedCandidate } from "../makeCandidate.ts"

it("truncates the model name that an upstream reports, for log lines and spans too", () => {
  const { model } = toGeneration({
    id: GenerationId.make("gen"),
    caller: { account: defaultAccountId, workspace: defaultWorkspaceId, kind: "member" },
    operation: "chat",
    requestedModel: "a/b",
    labels: {},
    isStreamed: false,
    startedAt: 0,
    latencyMillis: 1,
    planned: undefined,
    configuration: 1,
    attempts: [],
    exit: Exit.succeed({ value: "answer", candidate: makePricedCandidate("one", 1), attempts: [] }),
    toAnswerFacts: () => ({ model: "m".repeat(1_000_000) })
  })
  assert.strictEqual(model?.length, maxTextCharacters)
})
