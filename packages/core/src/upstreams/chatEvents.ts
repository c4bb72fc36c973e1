/** The chunks of one streamed chat answer in OpenAI's dialect, read without trusting any of it. */
import type { ChatCall, ChatDelta, ChatEvent, ChatMarks, ChatReport } from "./ChatCapability.ts"
import { failureInside } from "./failureInside.ts"
import { isObject } from "./isObject.ts"
import type { EventReader } from "./postEvents.ts"
import {
  failureInChoice,
  finishReasonsOf,
  indexOf,
  invalid,
  isShort,
  marksOf,
  mostChoices,
  tooManyChoices
} from "./readChatReply.ts"
import { type CostOf, readChatUsage } from "./readChatUsage.ts"

/**
 * `[DONE]` alone makes a stream whole: one that is closed after its finish reason, and even after its usage, may
 * lack what came next. One that is whole and holds no answer is an `invalid_answer`.
 */
export const chatEvents = (
  costOf?: CostOf,
  stated?: ChatCall["stated"]
): EventReader<ChatEvent> => {
  let report: ChatReport = {}
  let marks: ChatMarks = {}
  let answered = false
  return {
    read: (json) => {
      const { choices, id, model, usage } = json
      // Some tell it with every chunk; the last one counts.
      const counted = readChatUsage(usage, costOf)
      if (counted.usage !== undefined) {
        report = { ...report, ...counted }
        stated?.(counted.usage)
      }
      if (report.model === undefined && typeof model === "string" && model !== "") {
        report = { ...report, model }
      }
      if (report.id === undefined && isShort(id)) report = { ...report, id }
      marks = { ...marks, ...marksOf(json) }
      const failure = failureInside(json, report.usage)
      if (failure !== undefined || !Array.isArray(choices)) return failure
      if (choices.length > mostChoices) return invalid(tooManyChoices, report.usage)
      const deltas: Array<ChatDelta> = []
      for (let position = 0; position < choices.length; position++) {
        const choice: unknown = choices[position]
        if (!isObject(choice)) continue
        const failed = failureInChoice(choice, report.usage)
        if (failed !== undefined) return failed
        const delta = deltaOf(choice, position)
        if (delta !== undefined) deltas.push(delta)
      }
      if (deltas.length === 0) return undefined
      answered = true
      if (counted.usage === undefined) stated?.(undefined)
      return { type: "delta", choices: deltas, ...marks }
    },
    done: () =>
      answered
        ? { type: "end", ...report, ...marks }
        : invalid("the stream holds no answer", report.usage)
  }
}

/** Undefined where there is nothing in it, as in the first chunk of most, which names the role. */
const deltaOf = (
  choice: Readonly<Record<string, unknown>>,
  position: number
): ChatDelta | undefined => {
  const { logprobs } = choice
  const reasons = finishReasonsOf(choice)
  const delta = withoutRole(isObject(choice["delta"]) ? choice["delta"] : {})
  const silent = logprobs === undefined || logprobs === null
  if (reasons.finishReason === null && silent && isEmpty(delta)) return undefined
  return {
    index: indexOf(choice, position),
    delta,
    ...reasons,
    ...(silent ? undefined : { logprobs })
  }
}

const withoutRole = (
  delta: Readonly<Record<string, unknown>>
): Readonly<Record<string, unknown>> => {
  if (!Object.hasOwn(delta, "role")) return delta
  const { role: _, ...rest } = delta
  return rest
}

const isEmpty = (delta: Readonly<Record<string, unknown>>): boolean => {
  for (const key of Object.keys(delta)) {
    const value = delta[key]
    if (value !== null && value !== "" && !(Array.isArray(value) && value.length === 0))
      return false
  }
  return true
}
