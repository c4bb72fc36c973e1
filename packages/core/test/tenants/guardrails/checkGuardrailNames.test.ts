import * as Effect from "effect/Effect"
import * as Result from "effect/Result"
import { expect, it } from "vitest"
import * as Configuration from "../../../src/engine/catalog/Configuration.ts"
import { checkGuardrailNames } from "../../../src/tenants/guardrails/checkGuardrailNames.ts"

const configuration = Configuration.make(
  1,
  [],
  [{ id: "acme/judge", endpoints: [], card: { pricing: { prompt: "0" } } }]
)
const unlike = Array.from({ length: 50 }, (_, index) => `other/unlike-anything-${index}`)

const isRefused = (allowed_models: ReadonlyArray<string>): boolean =>
  Result.isFailure(
    Effect.runSync(Effect.result(checkGuardrailNames(configuration, { allowed_models })))
  )

it("compares at most 50 unknown names of a guardrail with the catalog", () => {
  expect(isRefused([...unlike.slice(1), "acme/jugde"])).toBe(true)
  expect(isRefused([...unlike, "acme/jugde"])).toBe(false)
})
