/** Finds out which call each piece of a streamed chat belongs to. */
import { isObject } from "../../values/json/guards.ts"
import { type CallFields, listCalls, readCallFields } from "./callFields.ts"
import { StreamedArguments } from "./StreamedArguments.ts"

type Json = Readonly<Record<string, unknown>>

/** The next characters of the arguments of a call, or of the input of a tool of free text, and how they were written. */
export interface WrittenPiece {
  readonly call: KnownCall
  /** May be empty. */
  readonly text: string
  readonly raw: Json
}

/** A call of one stream, the same object for all of its pieces, and what tells it from others. */
export interface KnownCall {
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
export class StreamedCalls {
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
