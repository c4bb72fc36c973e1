/** Checks the counts of a chat: how many messages, parts and tools it has, and parameters that multiply its cost. */
import * as Predicate from "effect/Predicate"
import type { Conversation } from "../../../conversation/Conversation.ts"
import {
  getSettings,
  isUnread,
  type PlainTexts,
  type UnreadConversation
} from "../../../dialects/PlainTexts.ts"
import type { SettingsShape } from "../../../instance/Settings.ts"
import { InvalidRequest } from "../../../values/errors/RequestErrors.ts"
import { findCountProblem } from "../../../values/validation/findCountProblem.ts"
import { countMostParts, countTurnMessages } from "../said/turnFacts.ts"

type Fields = Readonly<Record<string, unknown>>

/** The first list that is longer than a setting allows. */
export const findItemCountProblem = (
  { messages, tools }: Fields,
  settings: SettingsShape
): InvalidRequest | undefined => {
  const list = listOf(messages)
  const problem = findCountProblem(list.length, "maxMessages", settings, messagesPath)
  if (problem !== undefined) return problem
  for (let at = 0; at < list.length; at++) {
    const message = list[at]
    const parts = listOf(Predicate.isObject(message) ? message["content"] : undefined)
    if (parts.length === 0) continue
    const path = ["messages", at, "content"]
    const found = findCountProblem(parts.length, "maxContentParts", settings, path)
    if (found !== undefined) return found
  }
  return findCountProblem(listOf(tools).length, "maxTools", settings, toolsPath)
}

/** The same check of a conversation; its paths are those of a chat. */
export const findTurnCountProblem = (
  conversation: Conversation | UnreadConversation,
  settings: SettingsShape
): InvalidRequest | undefined => {
  const { messages, mostParts } = isUnread(conversation)
    ? conversation.texts
    : countTurns(conversation)
  return (
    findCountProblem(messages, "maxMessages", settings, messagesPath) ??
    findCountProblem(mostParts, "maxContentParts", settings, messagesPath) ??
    findCountProblem(getSettings(conversation).tools.length, "maxTools", settings, toolsPath)
  )
}

const countTurns = ({ turns }: Conversation): Pick<PlainTexts, "messages" | "mostParts"> => ({
  messages: countTurnMessages(turns),
  mostParts: countMostParts(turns)
})

const messagesPath = ["messages"]
const toolsPath = ["tools"]

const listOf = (value: unknown): ReadonlyArray<unknown> => (Array.isArray(value) ? value : noItems)

const noItems: ReadonlyArray<unknown> = []

interface Range {
  readonly path: ReadonlyArray<string | number>
  /** Default: 1. */
  readonly atLeast?: number
  /** Default: the largest safe integer. */
  readonly atMost?: number
}

/** The same maximum as OpenAI's `n`. */
const maxAnswers = 128

/** The maximum uses of a provider's tool for one answer. */
const maxToolUses = 1_000

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

/** The first count out of its range; null counts as absent. */
export const findRangeProblem = (fields: Fields): InvalidRequest | undefined => {
  const range = findBrokenRange(fields)
  if (range === undefined) return undefined
  const { atLeast = 1, atMost, path } = range
  const suffix = atMost === undefined ? "" : ` to ${atMost}`
  return new InvalidRequest({ path, problem: `must be a whole number from ${atLeast}${suffix}` })
}

const findBrokenRange = (fields: Fields): Range | undefined => {
  for (let at = 0; at < ranges.length; at++) {
    const range = ranges[at]!
    if (!isWithin(findValueAt(fields, range), range)) return range
  }
  const tools = listOf(fields["tools"])
  for (let at = 0; at < tools.length; at++) {
    const range: Range = { path: ["tools", at, "max_uses"], atMost: maxToolUses }
    if (!isWithin(findValueAt(fields, range), range)) return range
  }
  return undefined
}

const isWithin = (
  value: unknown,
  { atLeast = 1, atMost = Number.MAX_SAFE_INTEGER }: Range
): boolean =>
  value === undefined ||
  value === null ||
  (Number.isSafeInteger(value) && Number(value) >= atLeast && Number(value) <= atMost)

const findValueAt = (fields: unknown, { path }: Range): unknown => {
  let value = fields
  for (let at = 0; at < path.length; at++) {
    const name = path[at]!
    if (!Predicate.isObjectOrArray(value) || !Object.hasOwn(value, name)) return undefined
    value = Reflect.get(value, name)
  }
  return value
}
