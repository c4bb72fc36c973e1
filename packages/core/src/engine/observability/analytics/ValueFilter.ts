/** Selects values of a dimension. Pure. */
import * as Result from "effect/Result"
import { InvalidRequest } from "../../../values/errors/RequestErrors.ts"
import type { DimensionValue } from "../rollups/Dimension.ts"
import type { AnalyticsDimension } from "./AnalyticsDimension.ts"
import type { AnalyticsFilter } from "./AnalyticsQuery.ts"

export interface ValueFilter {
  readonly matches: (value: DimensionValue) => boolean
  /** Whether it selects all but the values it names. */
  readonly isNegative: boolean
}

interface Operator {
  readonly name: string
  readonly valueType: "scalar" | "array"
  readonly isNegative: boolean
}

/** Values are texts without an order, so there is no `gt`. */
export const analyticsOperators: ReadonlyArray<Operator> = [
  { name: "eq", valueType: "scalar", isNegative: false },
  { name: "neq", valueType: "scalar", isNegative: true },
  { name: "in", valueType: "array", isNegative: false },
  { name: "not_in", valueType: "array", isNegative: true }
]

/** Numbers are compared as text. What has no value is selected by `include_unset` alone. */
export const parseValueFilter = (
  { include_unset: includesUnset = false, operator: name, value }: AnalyticsFilter,
  dimension: AnalyticsDimension,
  path: ReadonlyArray<string | number>
): Result.Result<ValueFilter, InvalidRequest> => {
  const refuse = (field: string, problem: string) =>
    Result.fail(new InvalidRequest({ path: [...path, field], problem }))
  const operator = analyticsOperators.find((each) => each.name === name)
  if (operator === undefined) {
    const names = analyticsOperators.map((each) => each.name).join(", ")
    return refuse("operator", `is not supported; the operators are ${names}`)
  }
  const { isNegative, valueType } = operator
  if (isList(value) !== (valueType === "array")) {
    return refuse("value", `must be ${valueType === "array" ? "a list" : "one value"} for ${name}`)
  }
  if (includesUnset && valueType !== "array") {
    return refuse("include_unset", "applies to the operators in and not_in alone")
  }
  if (includesUnset && !dimension.hasUnset) {
    return refuse("include_unset", `is not possible: ${dimension.name} has no unset bucket`)
  }
  const named = new Set((isList(value) ? value : [value]).map(String))
  return Result.succeed({
    matches: (value) => (value === null ? includesUnset : named.has(value) !== isNegative),
    isNegative
  })
}

/** `Array.isArray` does not narrow read-only arrays. */
const isList = (value: AnalyticsFilter["value"]): value is ReadonlyArray<string | number> =>
  Array.isArray(value)
