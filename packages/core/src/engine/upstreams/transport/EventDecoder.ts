/** Decodes the bytes of a response to the events that a reader makes of them. */
import { constUndefined } from "effect/Function"
import type { SettingsShape } from "../../../instance/Settings.ts"
import { isDeeperThan } from "../../../values/json/JsonCost.ts"
import { isObject } from "../../../values/json/guards.ts"
import type { Redactor } from "../../secrets/Redactor.ts"
import { makeStreamRedactor } from "../../secrets/StreamRedactor.ts"
import { UpstreamFailure } from "../failures/UpstreamFailure.ts"
import { findEmbeddedFailure } from "../failures/findEmbeddedFailure.ts"
import { makeEventParser } from "./EventParser.ts"
import { makeChunkDecoder } from "./readText.ts"

/** Reads the events of one stream, in order. */
export interface EventReader<A> {
  /**
   * Converts the JSON of an event, to several items where it says several things; undefined: the event is skipped. A
   * failure ends the stream. An event with an `error`, or with that name, fails the stream even if this returns none.
   */
  readonly read: (
    json: Readonly<Record<string, unknown>>
  ) => A | ReadonlyArray<A> | UpstreamFailure | undefined
  /**
   * The text in which the next events may differ from this one, which `read` has just converted to one item. Depends on
   * `json` alone. Absent, or undefined: `read` converts the next event.
   */
  readonly findText?: (json: Readonly<Record<string, unknown>>) => VariableText<A> | undefined
  /** Called for `[DONE]`, after which nothing is read. */
  readonly done: () => A | ReadonlyArray<A> | UpstreamFailure | undefined
  /** Whether `read` has converted the last event, after which nothing is read. Absent: only `[DONE]` is the last. */
  readonly isDone?: () => boolean
  /** Called when the body ends before the last event. Absent: the stream ends without a last event. */
  readonly end?: () => A | UpstreamFailure | undefined
}

/** A text in the JSON of an event. */
interface VariableText<out A> {
  readonly text: string
  /** Converts an event with another text in its place, which is not empty. */
  readonly read: (text: string) => A
}

/** Decodes the events of a response piece by piece. */
export interface EventDecoder<A> {
  /** Returns the events that are complete now. */
  readonly feed: (chunk: Uint8Array) => ReadonlyArray<A>
  /** The response is over, because of `torn` unless it is complete. Returns the last events. */
  readonly end: (torn?: UpstreamFailure) => ReadonlyArray<A>
  /** Why the stream fails after the events returned so far. */
  readonly failure: () => UpstreamFailure | undefined
  /** Whether the last event was read. */
  readonly isDone: () => boolean
}

export const makeEventDecoder = <A>(
  reader: EventReader<A>,
  redactor: Redactor,
  { maxJsonDepth, maxStreamBytes, maxUpstreamBodyBytes: maxEventSize }: SettingsShape
): EventDecoder<A> => {
  /** An empty list that grows costs more than the usual single item. */
  let items: Array<A> | undefined
  let failure: UpstreamFailure | undefined
  let isDone = false
  /** The reader has the last event; it sees `[DONE]` only after the events before it. */
  let isComplete = false
  let hasEnded = false
  let received = 0
  let alike: Alike<A> | undefined
  /** The number of events in a row that did not match the template. */
  let misses = 0
  const streamRedactor = makeStreamRedactor<Json>(redactor)

  const add = (item: A): void => {
    if (items === undefined) items = [item]
    else items.push(item)
  }
  const emit = (item: A | ReadonlyArray<A> | UpstreamFailure | undefined): void => {
    if (item instanceof UpstreamFailure) failure = item
    else if (isList(item)) item.forEach(add)
    else if (item !== undefined) add(item)
  }
  const readOne = (json: Json): void => {
    if (failure !== undefined || isComplete) return
    emit(reader.read(json))
    if (reader.isDone?.() === true) isComplete = isDone = true
  }
  const read = (events: ReadonlyArray<Json>): void => {
    for (const json of events) readOne(json)
  }
  /** Flushes the events that the redactor holds back, then ends the stream. */
  const finish = (conclude: () => A | ReadonlyArray<A> | UpstreamFailure | undefined): void => {
    alike = undefined
    read(streamRedactor.flush())
    if (failure === undefined && !isComplete) emit(conclude())
  }
  const handleEvent = (data: string, name: string): void => {
    // An incomplete event at the end is dropped, except `[DONE]`.
    if (failure !== undefined || isDone || (hasEnded && data !== doneMark)) return
    alike = undefined
    isDone = data === doneMark
    if (isDone) return finish(reader.done)
    const mayHaveSecret = redactor.hasPossibleSecretInJson(data)
    const json = parseEvent(mayHaveSecret ? redactor.redactJson(data) : data, maxJsonDepth)
    if (json instanceof UpstreamFailure) return finish(() => json)
    // Some providers name the event "error" instead of using the field.
    if (name === "error" && !Object.hasOwn(json, "error")) {
      return finish(() => readError(reader, json))
    }
    if (mayHaveSecret || streamRedactor.isContinuedBy(json)) {
      read(streamRedactor.push(json, data.length))
      if (streamRedactor.hasOverflowed())
        return finish(() => toInvalidAnswer("an answer has too many parts at once"))
    } else {
      readOne(json)
      alike = findAlike(data, json)
    }
    // The reader converts the error in most cases, because it may know the usage.
    const embedded = findEmbeddedFailure(json)
    if (embedded !== undefined) finish(() => embedded)
  }
  const findAlike = (data: string, json: Json): Alike<A> | undefined => {
    if (misses === maxMisses || failure !== undefined || isDone) return undefined
    const variable = reader.findText?.(json)
    if (variable === undefined) return undefined
    const template = makeEventTemplate(data, variable.text, (other) => {
      try {
        return reader.findText?.(JSON.parse(other))?.text
      } catch {
        // The text occurs in the JSON itself, such as "," between two members.
        return undefined
      }
    })
    if (template === undefined) return undefined
    misses++
    return { template, variable }
  }
  /** Reads events of the usual kind without parsing them. Returns where the next one begins. */
  const readAlike = (stream: string, start: number): number => {
    if (alike === undefined) return start
    const { template, variable } = alike
    for (let at = start; ; misses = 0) {
      const end = findTextEnd(template, stream, at)
      const next = end === 0 ? 0 : findNextEvent(stream, end + template.after.length)
      if (next === 0) return at
      const from = at + template.before.length
      const text = unescapeText(stream.slice(from, end))
      if (!text || redactor.hasPossibleSecretInJson(stream.slice(from - 1, end + 1))) return at
      add(variable.read(text))
      at = next
    }
  }
  const parser = makeEventParser(handleEvent, maxEventSize, readAlike)
  const decode = makeChunkDecoder()
  const take = (): ReadonlyArray<A> => {
    const taken = items
    items = undefined
    return taken ?? []
  }

  return {
    feed: (chunk) => {
      if (isDone || failure !== undefined) return []
      received += chunk.length
      if (received > maxStreamBytes) {
        finish(() => toInvalidAnswer(`the stream is larger than ${maxStreamBytes} bytes`))
      } else if (!parser.feed(decode(chunk))) {
        finish(() => toInvalidAnswer(`an event is larger than ${maxEventSize} bytes`))
      }
      return take()
    },
    end: (torn) => {
      if (isDone || failure !== undefined) return []
      hasEnded = true
      if (torn === undefined) parser.feed("\n\n")
      if (!isDone) finish(torn === undefined ? (reader.end ?? constUndefined) : () => torn)
      return take()
    },
    failure: () => failure,
    isDone: () => isDone
  }
}

type Json = Readonly<Record<string, unknown>>

/** The last event, as far as the next ones are like it. */
interface Alike<A> {
  readonly template: EventTemplate
  readonly variable: VariableText<A>
}

/** Events of some providers differ in more. */
const maxMisses = 4

const doneMark = "[DONE]"

/** Most events are too short to be deep, or have too few brackets. */
const mayBeDeep = (data: string, maxJsonDepth: number): boolean =>
  data.length > 2 * maxJsonDepth &&
  countUpTo(maxJsonDepth + 1, data, "{") + countUpTo(maxJsonDepth + 1, data, "[") > maxJsonDepth

const countUpTo = (most: number, text: string, character: string): number => {
  let count = 0
  for (let at = text.indexOf(character); at !== -1 && count < most; count++) {
    at = text.indexOf(character, at + 1)
  }
  return count
}

const parseEvent = (data: string, maxJsonDepth: number): Json | UpstreamFailure => {
  let json: unknown
  try {
    json = JSON.parse(data)
  } catch {
    return toInvalidAnswer("an event is not JSON")
  }
  if (!isObject(json)) return toInvalidAnswer("an event is not a JSON object")
  if (mayBeDeep(data, maxJsonDepth) && isDeeperThan(json, maxJsonDepth)) {
    return toInvalidAnswer(`an event nests deeper than ${maxJsonDepth} levels`)
  }
  return json
}

const isList = <A>(item: A | ReadonlyArray<A>): item is ReadonlyArray<A> => Array.isArray(item)

/** Dialects have error codes of their own, which their readers know. */
const readError = <A>(reader: EventReader<A>, error: Json): UpstreamFailure | undefined => {
  const read = reader.read({ error })
  return read instanceof UpstreamFailure ? read : findEmbeddedFailure({ error })
}

const toInvalidAnswer = (detail: string) => new UpstreamFailure({ kind: "invalid_answer", detail })

/** An event up to the text, and from there to the end of its line. */
interface EventTemplate {
  readonly before: string
  readonly after: string
}

/**
 * `getText` finds the text in the JSON of `data`. It finds another one there too, so the text that was replaced is the
 * one in question, wherever else it occurs.
 */
const makeEventTemplate = (
  data: string,
  text: string,
  getText: (data: string) => string | undefined
): EventTemplate | undefined => {
  const quoted = JSON.stringify(text)
  const at = data.lastIndexOf(quoted)
  if (at === -1) return undefined
  const before = data.slice(0, at + 1)
  const after = data.slice(at + quoted.length - 1)
  const other = text === "a" ? "b" : "a"
  return getText(before + other + after) === other
    ? { before: `data: ${before}`, after }
    : undefined
}

/** The end of the text in the event that begins at `start`; 0: the event differs, or is not complete. */
const findTextEnd = ({ after, before }: EventTemplate, stream: string, start: number): number => {
  const from = start + before.length
  // A comparison of slices is one of bytes; `startsWith` compares characters.
  if (stream.slice(start, from) !== before) return 0
  let end = from
  for (; end < stream.length; end++) {
    const code = stream.charCodeAt(end)
    if (code === quote || code < space) break
    if (code === backslash) end++
  }
  return stream.slice(end, end + after.length) === after ? end : 0
}

/** The start of the next event, if the line of this one ends at `at` and a blank line follows; otherwise 0. */
const findNextEvent = (stream: string, at: number): number => {
  if (stream.charCodeAt(at) === lf) return stream.charCodeAt(at + 1) === lf ? at + 2 : 0
  return stream.slice(at, at + 4) === "\r\n\r\n" ? at + 4 : 0
}

/** Decodes the inside of a JSON string; undefined if it is not valid. */
const unescapeText = (text: string): string | undefined => {
  if (!text.includes("\\")) return text
  try {
    return JSON.parse(`"${text}"`)
  } catch {
    return undefined
  }
}

const lf = 10
const quote = 34
const space = 32
const backslash = 92
