/** Decodes the bytes of a response to the events that a reader makes of them. */
import type { SettingsShape } from "../../../instance/Settings.ts"
import { isDeeperThan } from "../../../values/json/JsonCost.ts"
import { isObject } from "../../../values/json/guards.ts"
import type { Redactor } from "../../secrets/Redactor.ts"
import { makeStreamRedactor, type StreamRedactor } from "../../secrets/StreamRedactor.ts"
import { UpstreamFailure } from "../failures/UpstreamFailure.ts"
import { findEmbeddedFailure } from "../failures/findEmbeddedFailure.ts"
import { type EventHandler, EventParser } from "./EventParser.ts"
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

/** Decodes the events of a response piece by piece. A class, because every open stream has one. */
export class EventDecoder<A> implements EventHandler {
  readonly #reader: EventReader<A>
  readonly #redactor: Redactor
  readonly #limits: DecoderLimits
  readonly #parser: EventParser
  readonly #decode = makeChunkDecoder()
  /** An empty list that grows costs more than the usual single item. */
  #items: Array<A> | undefined
  #failure: UpstreamFailure | undefined
  #isDone = false
  /** The reader has the last event; it sees `[DONE]` only after the events before it. */
  #isComplete = false
  #hasEnded = false
  #received = 0
  #alike: Alike<A> | undefined
  /** The number of events in a row that did not match the template. */
  #misses = 0
  /** Made for the first event that may have a secret. */
  #streamRedactor: StreamRedactor<Json> | undefined

  constructor(reader: EventReader<A>, redactor: Redactor, limits: DecoderLimits) {
    this.#reader = reader
    this.#redactor = redactor
    this.#limits = limits
    this.#parser = new EventParser(this, limits.maxUpstreamBodyBytes)
  }

  /** Returns the events that are complete now. */
  feed(chunk: Uint8Array): ReadonlyArray<A> {
    if (this.#isDone || this.#failure !== undefined) return []
    const { maxStreamBytes, maxUpstreamBodyBytes } = this.#limits
    this.#received += chunk.length
    if (this.#received > maxStreamBytes) {
      this.#finish(() => toInvalidAnswer(`the stream is larger than ${maxStreamBytes} bytes`))
    } else if (!this.#parser.feed(this.#decode(chunk))) {
      this.#finish(() => toInvalidAnswer(`an event is larger than ${maxUpstreamBodyBytes} bytes`))
    }
    return this.#take()
  }

  /** The response is over, because of `torn` unless it is complete. Returns the last events. */
  end(torn?: UpstreamFailure): ReadonlyArray<A> {
    if (this.#isDone || this.#failure !== undefined) return []
    this.#hasEnded = true
    if (torn === undefined) this.#parser.feed("\n\n")
    if (!this.#isDone) this.#finish(() => (torn === undefined ? this.#reader.end?.() : torn))
    return this.#take()
  }

  /** Why the stream fails after the events returned so far. */
  failure(): UpstreamFailure | undefined {
    return this.#failure
  }

  /** Whether the last event was read. */
  isDone(): boolean {
    return this.#isDone
  }

  /** For the parser. */
  onEvent(data: string, name: string): void {
    // An incomplete event at the end is dropped, except `[DONE]`.
    if (this.#failure !== undefined || this.#isDone || (this.#hasEnded && data !== doneMark)) return
    this.#alike = undefined
    this.#isDone = data === doneMark
    if (this.#isDone) return this.#finish(() => this.#reader.done())
    const mayHaveSecret = this.#redactor.hasPossibleSecretInJson(data)
    const json = parseEvent(
      mayHaveSecret ? this.#redactor.redactJson(data) : data,
      this.#limits.maxJsonDepth
    )
    if (json instanceof UpstreamFailure) return this.#finish(() => json)
    // Some providers name the event "error" instead of using the field.
    if (name === "error" && !Object.hasOwn(json, "error")) {
      return this.#finish(() => readError(this.#reader, json))
    }
    if (mayHaveSecret || this.#streamRedactor?.isContinuedBy(json) === true) {
      const streamRedactor = (this.#streamRedactor ??= makeStreamRedactor<Json>(this.#redactor))
      this.#read(streamRedactor.push(json, data.length))
      if (streamRedactor.hasOverflowed())
        return this.#finish(() => toInvalidAnswer("an answer has too many parts at once"))
    } else {
      this.#readOne(json)
      this.#alike = this.#findAlike(data, json)
    }
    // The reader converts the error in most cases, because it may know the usage.
    const embedded = findEmbeddedFailure(json)
    if (embedded !== undefined) this.#finish(() => embedded)
  }

  /** For the parser: reads events of the usual kind without parsing them. */
  readKnown(stream: string, start: number): number {
    if (this.#alike === undefined) return start
    const { template, variable } = this.#alike
    for (let at = start; ; this.#misses = 0) {
      const end = findTextEnd(template, stream, at)
      const next = end === 0 ? 0 : findNextEvent(stream, end + template.after.length)
      if (next === 0) return at
      const from = at + template.before.length
      const text = unescapeText(stream.slice(from, end))
      if (!text || this.#redactor.hasPossibleSecretInJson(stream.slice(from - 1, end + 1))) {
        return at
      }
      this.#add(variable.read(text))
      at = next
    }
  }

  #add(item: A): void {
    if (this.#items === undefined) this.#items = [item]
    else this.#items.push(item)
  }

  #emit(item: A | ReadonlyArray<A> | UpstreamFailure | undefined): void {
    if (item instanceof UpstreamFailure) this.#failure = item
    else if (isList(item)) for (const each of item) this.#add(each)
    else if (item !== undefined) this.#add(item)
  }

  #readOne(json: Json): void {
    if (this.#failure !== undefined || this.#isComplete) return
    this.#emit(this.#reader.read(json))
    if (this.#reader.isDone?.() === true) this.#isComplete = this.#isDone = true
  }

  #read(events: ReadonlyArray<Json>): void {
    for (const json of events) this.#readOne(json)
  }

  /** Flushes the events that the redactor holds back, then ends the stream. */
  #finish(conclude: () => A | ReadonlyArray<A> | UpstreamFailure | undefined): void {
    this.#alike = undefined
    if (this.#streamRedactor !== undefined) this.#read(this.#streamRedactor.flush())
    if (this.#failure === undefined && !this.#isComplete) this.#emit(conclude())
  }

  #findAlike(data: string, json: Json): Alike<A> | undefined {
    if (this.#misses === maxMisses || this.#failure !== undefined || this.#isDone) return undefined
    const variable = this.#reader.findText?.(json)
    if (variable === undefined) return undefined
    const template = makeEventTemplate(data, variable.text, (other) => {
      try {
        return this.#reader.findText?.(JSON.parse(other))?.text
      } catch {
        // The text occurs in the JSON itself, such as "," between two members.
        return undefined
      }
    })
    if (template === undefined) return undefined
    this.#misses++
    return { template, variable }
  }

  #take(): ReadonlyArray<A> {
    const taken = this.#items
    this.#items = undefined
    return taken ?? []
  }
}

type DecoderLimits = Pick<SettingsShape, "maxJsonDepth" | "maxStreamBytes" | "maxUpstreamBodyBytes">

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
