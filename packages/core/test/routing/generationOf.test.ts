import * as Exit from "effect/Exit"
import { assert, it } from "vitest"
import { longestText } from "../../src/observability/clipGeneration.ts"
import { generationOf } from "../../src/routing/generationOf.ts"
import { defaultAccountId } from "../../src/values/AccountId.ts"
import { GenerationId } from "../../src/values/GenerationId.ts"
import { defaultWorkspaceId } from "../../src/values/WorkspaceId.ts"
import { priced } from "./candidate.ts"

it("an upstream that gave its model a name without end filled lines of the log and spans with it", () => {
  const { model } = generationOf({
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
    exit: Exit.succeed({ value: "answer", candidate: priced("one", 1), attempts: [] }),
    factsOf: () => ({ model: "m".repeat(1_000_000) })
  })
  assert.strictEqual(model?.length, longestText)
})
