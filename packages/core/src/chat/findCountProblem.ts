/** Finds the first count of a chat that multiplies what it costs and is out of its range. */
import * as Predicate from "effect/Predicate"
import { InvalidRequest } from "../values/errors/RequestErrors.ts"

/** How many answers one request may ask for. OpenAI's dialect allows as many. */
const maxAnswers = 128

interface Bounds {
  /** Default: 1. */
  readonly atLeast?: number
  /** Default: whatever a double counts exactly. */
  readonly atMost?: number
}

interface Range extends Bounds {
  readonly path: ReadonlyArray<string | number>
}

const ranges: ReadonlyArray<Range> = [
  { path: ["n"], atMost: maxAnswers },
  { path: ["best_of"], atMost: maxAnswers },
  { path: ["max_tokens"] },
  { path: ["max_completion_tokens"] },
  { path: ["max_output_tokens"] },
  { path: ["max_new_tokens"] },
  { path: ["min_tokens"], atLeast: 0 },
  { path: ["reasoning", "max_tokens"], atLeast: 0 },
  { path: ["thinking", "budget_tokens"], atLeast: 0 }
]

/** `null` is as if the key were not there. */
export const findCountProblem = (
  fields: Readonly<Record<string, unknown>>
): InvalidRequest | undefined => {
  for (const range of ranges) {
    const value = findValueAt(fields, range.path)
    if (value !== undefined && value !== null && !isWithin(value, range))
      return toRangeProblem(range)
  }
  const { tools } = fields
  for (const [index, tool] of (Array.isArray(tools) ? tools : []).entries()) {
    const uses: unknown = Predicate.isObject(tool) ? tool["max_uses"] : undefined
    const range = { path: ["tools", index, "max_uses"], atMost: maxToolUses }
    if (uses !== undefined && uses !== null && !isWithin(uses, range)) return toRangeProblem(range)
  }
  return undefined
}

/** How often a tool that the provider runs may be used for one answer. */
const maxToolUses = 1_000

const isWithin = (
  value: unknown,
  { atLeast = 1, atMost = Number.MAX_SAFE_INTEGER }: Bounds
): boolean => Number.isSafeInteger(value) && Number(value) >= atLeast && Number(value) <= atMost

const toRangeProblem = ({ atLeast = 1, atMost, path }: Range): InvalidRequest =>
  new InvalidRequest({
    path,
    problem:
      atMost === undefined
        ? `must be a whole number from ${atLeast}`
        : `must be a whole number from ${atLeast} to ${atMost}`
  })

const findValueAt = (fields: unknown, path: Range["path"]): unknown =>
  path.reduce<unknown>(
    (value, name) =>
      Predicate.isObject(value) && Object.hasOwn(value, name) ? value[name] : undefined,
    fields
  )
