import * as Effect from "effect/Effect"
import * as Result from "effect/Result"
import { expect, it } from "vitest"
import * as Configuration from "../../../src/engine/catalog/Configuration.ts"
import { checkGuardrailNames } from "../../../src/tenants/guardrails/checkGuardrailNames.ts"

const configuration = Configuration.make(
  1,
  [],
  [{ id: "acme/judge", aliases: ["judge"], endpoints: [], card: { pricing: { prompt: "0" } } }]
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

const checkAlias = (before?: ReadonlyArray<string>) =>
  Effect.runSync(
    Effect.result(
      checkGuardrailNames(
        configuration,
        { allowed_models: ["acme/judge", "judge"] },
        before === undefined ? {} : { allowed_models: before }
      )
    )
  )

it("refuses an alias, which no rule would match, unless the guardrail has it already", () => {
  const refused = checkAlias()
  expect(Result.isFailure(refused) && refused.failure).toMatchObject({
    path: ["allowed_models", 1],
    problem: "judge is an alias; name the model, acme/judge"
  })
  expect(Result.isSuccess(checkAlias(["judge"]))).toBe(true)
})
