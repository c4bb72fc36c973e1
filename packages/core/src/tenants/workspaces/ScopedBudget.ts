/** Budgets of what a workspace spends on one tag, model, provider or external user. */
import * as Schema from "effect/Schema"
import * as Struct from "effect/Struct"
import { getTag, Tags } from "../../values/Tags.ts"
import { isMaxCharacters, isPlainText, shorten } from "../../values/validation/text.ts"
import { Budget } from "./Budget.ts"

export const BudgetName = Schema.NonEmptyString.check(isMaxCharacters(200), isPlainText)

/** In place of a value: the budget holds for each value by itself. */
export const everyValue = "*"

/** To limit each of several models or providers, create a budget for each. */
const ServerName = BudgetName.check(
  Schema.makeFilter(
    (name: string) => name !== everyValue || "must be one name; only tag and external_user take *"
  )
)

/** Which spending counts; of several fields, all must apply. */
const scopeFields = {
  /** Every tag that the caller must have, such as `{ customer: "acme" }`; `*`: each value is counted by itself. */
  tag: Tags,
  /** The slug or canonical slug of the model that serves. */
  model: ServerName,
  /** The provider that serves, as `only` of a request names it. */
  provider: ServerName,
  /** The `user` of the request, which is the caller's own word; `*`: each value is counted by itself. */
  external_user: Schema.NonEmptyString.check(isMaxCharacters(256))
}

/** At least one of `tag`, `model`, `provider` and `external_user`. */
export const BudgetScope = Schema.Struct(scopeFields)
  .mapFields(Struct.map(Schema.optionalKey))
  .check(
    Schema.makeFilter(
      ({ tag, ...others }) =>
        Object.keys(others).length > 0 ||
        (tag !== undefined && Object.keys(tag).length > 0) ||
        "must say a tag, model, provider or external_user"
    )
  )
export type BudgetScope = typeof BudgetScope.Type

/** The spend limit of a scope in an interval. */
export const ScopedBudget = Schema.Struct({
  ...Struct.omit(Budget.fields, ["soft"]),
  /** What errors and records call it. */
  name: Schema.String,
  scope: BudgetScope,
  /** Whether it only warns, and refuses nothing. */
  soft: Schema.Boolean,
  /** Whether spending on the account's own provider credentials counts too. */
  include_byok_in_budgets: Schema.Boolean
})
export type ScopedBudget = typeof ScopedBudget.Type

/** A budget of a workspace: of all that it spends, or of a scope. */
export type AnyBudget = Budget | ScopedBudget

/** Whether it limits what the workspace spends on its scope. */
export const isScopedBudget = (budget: AnyBudget): budget is ScopedBudget => "scope" in budget

/** Whether it counts each value of a tag, or each external user, by itself. */
export const countsEachValue = ({ scope: { external_user, tag = {} } }: ScopedBudget): boolean =>
  external_user === everyValue || Object.values(tag).includes(everyValue)

/** Whether a caller with these tags spends on the scope with any model, provider and external user. */
export const isOfTags = ({ tag = {} }: BudgetScope, tags: Tags | undefined): boolean =>
  Object.entries(tag).every(([key, value]) => {
    const own = getTag(tags, key)
    return own === value || (own !== undefined && value === everyValue)
  })

/** The scope with the values of a request in place of every `*`; undefined: the request is not of the scope. */
export const fillScope = (
  scope: BudgetScope,
  tags: Tags | undefined,
  externalUser: string | undefined
): BudgetScope | undefined => {
  const { external_user, tag } = scope
  if (!isOfTags(scope, tags)) return undefined
  const isUser = external_user === externalUser || external_user === everyValue
  if (external_user !== undefined && (externalUser === undefined || !isUser)) return undefined
  const filled = Object.entries(tag ?? {}).map(([key, value]) => [key, getTag(tags, key) ?? value])
  return {
    ...scope,
    ...(tag === undefined ? undefined : { tag: Object.fromEntries(filled) }),
    ...(external_user === undefined || externalUser === undefined
      ? undefined
      : { external_user: externalUser })
  }
}

/** What errors and records call the part of a budget that counts one value: the budget, and the value unless named already. */
export const describeValue = ({ name, scope }: ScopedBudget, filled: BudgetScope): string =>
  name === describeScope(scope) ? describeScope(filled) : `${name}, ${describeScope(filled)}`

/** Whether it limits all that the workspace spends in its interval. */
export const isIntervalBudget = (budget: AnyBudget): budget is Budget => !isScopedBudget(budget)

/** Such as `customer=acme, model openai/gpt-5-mini`. */
export const describeScope = ({ external_user, model, provider, tag = {} }: BudgetScope): string =>
  shorten(
    [
      ...Object.entries(tag).map(([key, value]) => `${key}=${value}`),
      ...(model === undefined ? [] : [`model ${model}`]),
      ...(provider === undefined ? [] : [`provider ${provider}`]),
      ...(external_user === undefined ? [] : [`external user ${external_user}`])
    ].join(", ")
  )
