// Type tests, checked by `tsc -b`.
import { describe, expectTypeOf, it } from "vitest"
import type { EffectOperations, PromiseOperations } from "../../../src/api/inProcess/Calls.ts"
import type { Signalbox } from "../../../src/Signalbox.ts"

/** Whether a value, or each item of a list, is of type unknown or any. */
type IsUntyped<Value> = unknown extends Value
  ? true
  : NonNullable<Value> extends ReadonlyArray<infer Item>
    ? unknown extends Item
      ? true
      : false
    : false

/** The names of fields that are untyped; keys that the contract leaves open have no names. */
type UntypedFields<Input> = Input extends unknown
  ? {
      [Name in keyof Input as string extends Name ? never : Name]-?: IsUntyped<
        Input[Name]
      > extends true
        ? Name
        : never
    } extends infer Fields
    ? Fields[keyof Fields]
    : never
  : never

type UntypedInputs<Group> = {
  [Name in keyof Group]: Group[Name] extends (...args: infer Arguments) => unknown
    ? UntypedFields<NonNullable<Arguments[0]>>
    : never
}[keyof Group]

/** The untyped fields of each group of operations. */
type UntypedGroups<Operations> = {
  readonly [Group in keyof Operations]: UntypedInputs<Operations[Group]>
}

type Typed<Operations> = { readonly [Group in keyof Operations]: never }

/** The calls that have types of their own. */
type Calls = Pick<
  Signalbox,
  | "chat"
  | "decide"
  | "embed"
  | "explain"
  | "messages"
  | "rerank"
  | "responses"
  | "streamChat"
  | "streamMessages"
  | "streamResponses"
>

describe("the input of an operation in process", () => {
  it("has no field of type unknown or any", () => {
    expectTypeOf<UntypedGroups<PromiseOperations>>().toEqualTypeOf<Typed<PromiseOperations>>()
    expectTypeOf<UntypedGroups<EffectOperations>>().toEqualTypeOf<Typed<EffectOperations>>()
    expectTypeOf<UntypedInputs<Calls>>().toEqualTypeOf<never>()
  })

  it("would be found if it had one", () => {
    interface Sample {
      readonly setBudget: (input: { readonly id: string; readonly interval: unknown }) => void
      readonly list: (input?: { readonly open?: ReturnType<typeof JSON.parse> }) => void
      readonly add: (input: { readonly list?: ReadonlyArray<unknown> | null }) => void
      readonly get: (input: { readonly id: string; readonly [name: string]: unknown }) => void
    }
    expectTypeOf<UntypedInputs<Sample>>().toEqualTypeOf<"interval" | "open" | "list">()
  })
})
