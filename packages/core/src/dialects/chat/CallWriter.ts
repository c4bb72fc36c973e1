/** Writes the calls of one choice, whole or in pieces, as the chat dialect specifies them. */
import type { CallEvent, StreamedCall } from "../../conversation/Answer.ts"
import { drawCallIdStem, type findRandom } from "../../engine/upstreams/callIdStems.ts"
import { isObject } from "../../values/json/guards.ts"
import { StreamedArguments } from "./StreamedArguments.ts"
import {
  type CallFields,
  decodeTwice,
  isOddStart,
  listCalls,
  readCallFields,
  toObjectText
} from "./callFields.ts"
import { toCalled, writeCall, writeCallPiece } from "./fitCalls.ts"

/** The next characters of the arguments of a call, or of the input of a tool of free text, and how they were written. */
interface WrittenPiece {
  readonly call: KnownCall
  /** May be empty. */
  readonly text: string
  readonly raw: Json
}

/** A call of one stream, the same object for all of its pieces, and what tells it from others. */
interface KnownCall {
  /** Undefined until a piece has an id, which may never happen. Unique within the answer. */
  id: string | undefined
  name: string | undefined
  /** The namespace of the tool, in Responses. */
  namespace: string | undefined
  readonly isCustom: boolean
  /** The id as it was written, which other calls may have too. */
  writtenId: string | undefined
  /** The delta that said the last piece. */
  delta: number
  readonly args: StreamedArguments
}

/**
 * Servers differ: an index may be missing, a text, or used again for another call; an id may be missing, be used again, or
 * be another one with each piece; pieces may repeat the name; and all of a call may be said again at its end.
 */
class StreamedCalls {
  private readonly byId = new Map<string, KnownCall>()
  private readonly byIndex = new Map<number, KnownCall>()
  private readonly ids = new Set<string>()
  private last: KnownCall | undefined
  private deltas = 0

  /** The pieces in the `tool_calls` of a delta. */
  read(toolCalls: unknown): ReadonlyArray<WrittenPiece> {
    if (toolCalls === undefined || toolCalls === null) return none
    this.deltas++
    return listCalls(toolCalls).flatMap((piece) => (isObject(piece) ? [this.readPiece(piece)] : []))
  }

  private readPiece(raw: Json): WrittenPiece {
    const fields = readCallFields(raw)
    const { id, name, namespace } = fields
    const index = parseIndex(raw["index"])
    const known = this.find(fields, index)
    const call = known ?? this.begin(fields)
    if (call.id === undefined && id !== undefined) call.id = this.takeId(id)
    call.writtenId ??= id
    call.name ??= name
    call.namespace ??= namespace
    call.delta = this.deltas
    this.last = call
    if (id !== undefined) this.byId.set(id, call)
    if (index !== undefined) this.byIndex.set(index, call)
    const isRepeated = known !== undefined && isSaidAgain(known, fields)
    if (!isRepeated) call.args.add(fields.text)
    return { call, text: isRepeated ? "" : fields.text, raw }
  }

  private begin({ isCustom }: CallFields): KnownCall {
    return {
      id: undefined,
      name: undefined,
      namespace: undefined,
      isCustom,
      writtenId: undefined,
      delta: this.deltas,
      args: new StreamedArguments()
    }
  }

  /** An id that another call has gets an ending. */
  private takeId(id: string): string {
    let taken = id
    for (let count = this.ids.size; this.ids.has(taken); count++) taken = `${id}_${count}`
    this.ids.add(taken)
    return taken
  }

  /** The call that a piece continues; undefined: it begins one. */
  private find(fields: CallFields, index: number | undefined): KnownCall | undefined {
    const { id, name } = fields
    const withId = id === undefined ? undefined : this.byId.get(id)
    if (index === undefined) {
      if (id === undefined) return name === undefined ? this.last : undefined
      const { last } = this
      const call = withId ?? (name === undefined ? last : undefined)
      return call === undefined || this.isOther(call, fields) ? undefined : call
    }
    const call = this.byIndex.get(index) ?? (name === undefined ? withId : undefined)
    return call === undefined || this.isOther(call, fields) ? undefined : call
  }

  /** Whether a piece begins another call, although it has the index or the id of this one. */
  private isOther(call: KnownCall, fields: CallFields): boolean {
    const { id, name, text } = fields
    const hasOtherId =
      id !== undefined &&
      call.writtenId !== undefined &&
      id !== call.writtenId &&
      this.byId.get(id) !== call
    // Some servers draw an id for each piece.
    if (name === undefined) return hasOtherId && !call.args.isBlank && call.args.isWhole()
    if (hasOtherId) return true
    if (call.name === undefined) return false
    if (name !== call.name) return true
    if (id !== undefined && isSaidAgain(call, fields)) return false
    // Two entries of one list are two calls, and nothing continues an object that is whole.
    if (call.delta === this.deltas) return true
    return !call.args.isBlank && text.trim() !== "" && call.args.isWhole()
  }
}

/** Whether a piece repeats all of a call. */
const isSaidAgain = ({ args, name }: KnownCall, { name: said, text }: CallFields): boolean =>
  said !== undefined &&
  said === name &&
  // Compared first, so that a long call is not put together for each piece.
  text.length === args.length &&
  !args.isBlank &&
  args.isWhole() &&
  args.text === text

/** Undefined for a value that is not a whole number. */
const parseIndex = (index: unknown): number | undefined => {
  const parsed = typeof index === "string" && index !== "" ? Number(index) : index
  return typeof parsed === "number" && Number.isSafeInteger(parsed) ? parsed : undefined
}

const none: ReadonlyArray<WrittenPiece> = []

type Json = Readonly<Record<string, unknown>>

/** A piece of a call in both forms: for every caller, and as the chat dialect specifies it. */
export interface WrittenCall {
  readonly event: CallEvent
  readonly native: Json
}

/** The state of a call that has been written in part. */
interface CallState {
  /** Undefined until its name is known: clients cannot begin a call without one. */
  begun: { readonly index: number; readonly call: StreamedCall } | undefined
  hasText: boolean
  /** Whether the arguments begin as those that are encoded twice, so that all of them wait for the end. */
  isOdd: boolean
  /** Texts that wait for the name, or for the end. */
  readonly waiting: Array<string>
}

/** Other choices have writers of their own. */
export class CallWriter {
  readonly #random: ReturnType<typeof findRandom>
  readonly #streamed = new StreamedCalls()
  readonly #written = new Map<KnownCall, CallState>()
  /** Calls whose arguments have not begun. */
  readonly #empty = new Set<KnownCall>()
  #stem: string | undefined
  #count = 0

  /** `random` is the source of ids for calls that arrive without one. */
  constructor(random: ReturnType<typeof findRandom>) {
    this.#random = random
  }

  /** How many calls have been written. */
  get count(): number {
    return this.#count
  }

  /** `isLast`: the answer ends with these. */
  writePieces(raw: ReadonlyArray<unknown>, isLast: boolean): ReadonlyArray<WrittenCall> {
    return [
      ...this.#streamed.read(raw).flatMap(this.#writePiece),
      ...(isLast ? this.#finish() : [])
    ]
  }

  /** The calls of a message that is not streamed. */
  writeWhole(raw: ReadonlyArray<unknown>): ReadonlyArray<Json> {
    const ids = new Set<string>()
    const calls = raw.flatMap((call) => (isObject(call) ? [this.#writeCall(call, ids)] : []))
    this.#count += calls.length
    return calls
  }

  readonly #writePiece = ({ call: known, raw, text }: WrittenPiece): ReadonlyArray<WrittenCall> => {
    let written = this.#written.get(known)
    if (written === undefined) {
      written = { begun: undefined, hasText: false, isOdd: false, waiting: [] }
      this.#written.set(known, written)
    }
    const said = takeText(known, written, text)
    const { id, isCustom, name, namespace } = known
    if (name === undefined) return []
    if (written.hasText) this.#empty.delete(known)
    else this.#empty.add(known)
    if (written.begun !== undefined) {
      const { call, index } = written.begun
      return [
        {
          event: { type: "call", call, text: said },
          native: { index, ...writeCallPiece(raw, isCustom, said) }
        }
      ]
    }
    const index = this.#count++
    const call: StreamedCall = { id: id ?? this.#makeId(index), name, namespace, isCustom }
    written.begun = { index, call }
    return [
      {
        event: { type: "call", call, text: said },
        native: { index, ...writeCall(raw, { id: call.id, name, text: said }) }
      }
    ]
  }

  #writeCall(call: Json, ids: Set<string>): Json {
    const { id: written, isCustom, name, text } = readCallFields(call)
    // A call without a name is passed on unchanged, for clients that know its type.
    if (name === undefined) return call
    let id = written ?? this.#makeId(ids.size)
    for (let count = ids.size; ids.has(id); count++) id = `${written}_${count}`
    ids.add(id)
    return writeCall(call, { id, name, text: isCustom ? text : toObjectText(text) })
  }

  #makeId(index: number): string {
    this.#stem ??= drawCallIdStem(this.#random)
    return `call_${this.#stem}_${index}`
  }

  /** The calls whose arguments are still to be said. */
  #finish(): ReadonlyArray<WrittenCall> {
    const pieces: Array<WrittenCall> = []
    for (const known of this.#empty) {
      const { begun, waiting = [] } = this.#written.get(known) ?? {}
      const { isCustom } = known
      const waited = waiting.join("")
      if (begun === undefined || (isCustom && waited === "")) continue
      const { call, index } = begun
      const text = isCustom ? waited : toObjectText(waited)
      pieces.push({
        event: { type: "call", call, text },
        native: { index, ...toCalled(isCustom, text) }
      })
    }
    this.#empty.clear()
    return pieces
  }
}

/** Returns the text to send now. Later pieces belong to a value within the arguments, so they are passed on unread. */
const takeText = ({ isCustom, name }: KnownCall, written: CallState, text: string): string => {
  const { waiting } = written
  if (name === undefined || written.isOdd) {
    waiting.push(text)
    return ""
  }
  if (written.hasText) return text
  const whole = waiting.join("") + text
  waiting.length = 0
  if (!isCustom && isOddStart(whole)) {
    const decoded = decodeTwice(whole)
    if (decoded === whole) {
      written.isOdd = true
      waiting.push(whole)
      return ""
    }
    written.hasText = true
    return decoded
  }
  if (whole.trim() !== "") written.hasText = true
  return whole
}
