// Type tests, checked by `tsc -b`.
import { describe, expectTypeOf, it } from "vitest"
import type * as Effect from "effect/Effect"
import type { CallerConfig } from "../../../src/tenants/auth/CallerConfig.ts"
import type { ExpectedError } from "../../../src/api/errors/errorTable.ts"
import type { EffectOperations, PromiseOperations } from "../../../src/api/inProcess/Calls.ts"

type InputOf<F extends (...args: never) => unknown> = Parameters<F>[0]

describe("an operation in process", () => {
  it("takes path parameters, query and body as one object", () => {
    expectTypeOf<InputOf<PromiseOperations["guardrails"]["assignKeys"]>>().toEqualTypeOf<{
      readonly id: string
      readonly key_hashes: ReadonlyArray<string>
    }>()
    expectTypeOf<InputOf<PromiseOperations["workspaces"]["listMembers"]>>().toEqualTypeOf<{
      readonly id: string
      readonly offset?: number
      readonly limit?: number
    }>()
  })

  it("has the type of a path parameter that is parsed, not unknown", () => {
    expectTypeOf<InputOf<PromiseOperations["workspaces"]["getBudget"]>>().toEqualTypeOf<{
      readonly workspace_ref: string
      readonly interval: "daily" | "weekly" | "monthly" | "lifetime"
    }>()
    expectTypeOf<{ readonly interval: 42 }>().not.toExtend<
      Pick<InputOf<PromiseOperations["workspaces"]["setBudget"]>, "interval">
    >()
  })

  it("has an optional input if nothing in it is required", () => {
    expectTypeOf<[]>().toExtend<Parameters<PromiseOperations["keys"]["list"]>>()
    expectTypeOf<[]>().not.toExtend<Parameters<PromiseOperations["keys"]["get"]>>()
  })

  it("takes a caller and, in its promise form, a signal", () => {
    expectTypeOf<[{ hash: string }, { caller: CallerConfig; signal: AbortSignal }]>().toExtend<
      Parameters<PromiseOperations["keys"]["get"]>
    >()
    expectTypeOf<
      keyof NonNullable<Parameters<PromiseOperations["keys"]["get"]>[1]>
    >().toEqualTypeOf<"caller" | "mount" | "signal">()
    expectTypeOf<[{ name: string }, { idempotencyKey: string }]>().toExtend<
      Parameters<PromiseOperations["interns"]["create"]>
    >()
  })

  it("resolves to the body of the response", () => {
    expectTypeOf<Awaited<ReturnType<PromiseOperations["models"]["count"]>>>().toEqualTypeOf<{
      readonly data: { readonly count: number }
    }>()
    expectTypeOf<ReturnType<EffectOperations["credits"]["get"]>>().toEqualTypeOf<
      Effect.Effect<
        { readonly data: { readonly total_credits: number; readonly total_usage: number } },
        ExpectedError
      >
    >()
  })
})
