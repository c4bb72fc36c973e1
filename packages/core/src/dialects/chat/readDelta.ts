/** Reads the untrusted deltas of chunks: what one says of a choice, and in which words. */
import type { AnswerEnd, AnswerEvent, TextEvent, ThoughtEvent } from "../../conversation/Answer.ts"
import type { ChatDelta } from "../../engine/upstreams/ChatCapability.ts"
import { isObject } from "../../values/json/guards.ts"
import { withPages } from "./annotations.ts"
import { withReasoning } from "./AnswerReader.ts"
import { parseFinishReasons, parseIndex } from "./readAnswer.ts"
import { isOtherReasoning } from "./reasoningText.ts"

type Json = Readonly<Record<string, unknown>>

/** A delta as it was written, without its role. */
export interface WrittenDelta {
  readonly index: number
  readonly delta: Json
  readonly end: AnswerEnd | undefined
  readonly logprobs: unknown
}

/** Undefined when it is empty, like the first chunk of most providers, which has only the role. */
export const parseDelta = (
  choice: Json,
  position: number,
  hasBegun: (index: number) => boolean,
  pages: ReadonlyArray<Json>
): WrittenDelta | undefined => {
  const logprobs = choice["logprobs"] ?? undefined
  const finish = parseFinishReasons(choice)
  const index = parseIndex(choice, position)
  const delta = withReasoning(omitRole(findDelta(choice, hasBegun(index))))
  if (finish.reason !== null) {
    return { index, delta: withPages(delta, pages), end: finish, logprobs }
  }
  return logprobs === undefined && isEmpty(delta)
    ? undefined
    : { index, delta, end: undefined, logprobs }
}

/** The events of a delta with a text alone, or with nothing; undefined: it has more. */
export const findPlainEvents = (delta: Json): ReadonlyArray<AnswerEvent> | undefined => {
  let text: string | undefined
  for (const name in delta) {
    const value = delta[name]
    if (value === null || value === undefined || value === "") continue
    if (name !== "content" || typeof value !== "string") {
      if (Array.isArray(value) && value.length === 0) continue
      return undefined
    }
    text = value
  }
  return text === undefined ? noEvents : [{ type: "text", text }]
}

export const noPages: ReadonlyArray<Json> = []

export const citesPages = ({ citations, search_results: results }: Json): boolean =>
  Array.isArray(citations) || Array.isArray(results)

const noEvents: ReadonlyArray<AnswerEvent> = []

/** Undefined when the delta has only its text. */
export const toNative = (
  delta: Json,
  events: ReadonlyArray<AnswerEvent>
): Pick<ChatDelta, "native"> | undefined => {
  let fields = 0
  for (const _ in delta) fields++
  return fields === events.length ? undefined : { native: delta }
}

export const omitAbsent = (
  end: AnswerEnd | undefined,
  logprobs: unknown
): Pick<ChatDelta, "end" | "logprobs"> | undefined =>
  end === undefined && logprobs === undefined
    ? undefined
    : {
        ...(end === undefined ? undefined : { end }),
        ...(logprobs === undefined ? undefined : { logprobs })
      }

export const isText = (event: AnswerEvent): event is TextEvent | ThoughtEvent =>
  event.type === "text" || event.type === "thought"

/** Another text of a delta, with what `withReasoning` adds to it. */
export const toField = (name: string, text: string): Readonly<Record<string, string>> =>
  isOtherReasoning(name) ? { [name]: text, reasoning: text } : { [name]: text }

/** Some servers write a whole message instead, or once more at the end. */
const findDelta = ({ delta, message }: Json, hasBegun: boolean): Json => {
  if (isObject(delta)) return delta
  return isObject(message) && !hasBegun ? message : {}
}

/** The text of an only choice. */
export const findDeltaText = (
  choices: unknown
): { readonly name: string; readonly text: string } | undefined => {
  const choice: unknown = Array.isArray(choices) && choices.length === 1 ? choices[0] : undefined
  const delta = isObject(choice) ? choice["delta"] : undefined
  if (!isObject(delta)) return undefined
  for (const name in delta) {
    const text = delta[name]
    if (typeof text === "string" && text !== "" && name !== "role") return { name, text }
  }
  return undefined
}

export const hasContent = ({ events, native }: ChatDelta): boolean =>
  events.length > 0 || (native !== undefined && !isEmpty(native))

const omitRole = (delta: Json): Json => {
  if (!Object.hasOwn(delta, "role")) return delta
  const { role: _, ...rest } = delta
  return rest
}

export const isEmpty = (delta: Json): boolean => {
  for (const key in delta) {
    const value = delta[key]
    if (value !== null && value !== "" && !(Array.isArray(value) && value.length === 0))
      return false
  }
  return true
}
