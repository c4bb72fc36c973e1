/** Writes the calls of one choice, whole or in pieces, as the chat dialect specifies them. */
import type { CallEvent, StreamedCall } from "../../conversation/AnswerEvent.ts"
import { drawCallIdStem, type findRandom } from "../../engine/upstreams/callIdStems.ts"
import { isObject } from "../../values/json/guards.ts"
import { decodeTwice, isOddStart, readCallFields, toObjectText } from "./callFields.ts"
import { toCalled, writeCall, writeCallPiece } from "./fitCalls.ts"
import { type KnownCall, StreamedCalls, type WrittenPiece } from "./StreamedCalls.ts"

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
