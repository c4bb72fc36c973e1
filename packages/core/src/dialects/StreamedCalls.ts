/** Finds out which call each piece of a streamed chat belongs to. */
import { isObject } from "../values/json/isObject.ts"

/** A call of one stream; the same object for all of its pieces. */
export interface StreamedCall {
  /** Undefined until a piece has it, which may be never. */
  id: string | undefined
  name: string | undefined
  /** Of a tool in Responses. */
  namespace: string | undefined
  readonly isCustom: boolean
}

/** The next characters of the arguments of a call, or of the input of a tool of free text; may be empty. */
export interface CallPiece {
  readonly call: StreamedCall
  readonly text: string
}

/**
 * Providers differ: an index may be used again for another call, which then has another id; pieces may repeat the id and
 * the name, or lack the index.
 */
export class StreamedCalls {
  private readonly byId = new Map<string, StreamedCall>()
  private readonly byIndex = new Map<number, StreamedCall>()
  private last: StreamedCall | undefined

  /** The pieces in the `tool_calls` of a delta. */
  read(toolCalls: unknown): ReadonlyArray<CallPiece> {
    return Array.isArray(toolCalls)
      ? toolCalls.flatMap((piece: unknown) => (isObject(piece) ? [this.readPiece(piece)] : []))
      : []
  }

  private readPiece(piece: Readonly<Record<string, unknown>>): CallPiece {
    const { custom, function: called, id: foundId, index: foundIndex } = piece
    const isCustom = isObject(custom)
    const said = isCustom ? custom : isObject(called) ? called : {}
    const id = findText(foundId)
    const name = findText(said["name"])
    const namespace = findText(piece["namespace"])
    const index =
      typeof foundIndex === "number" && Number.isSafeInteger(foundIndex) ? foundIndex : undefined
    const call = this.find(id, index, name) ?? { id, name, namespace, isCustom }
    call.id ??= id
    call.name ??= name
    call.namespace ??= namespace
    this.last = call
    if (id !== undefined) this.byId.set(id, call)
    if (index !== undefined) this.byIndex.set(index, call)
    return { call, text: findText(said[isCustom ? "input" : "arguments"]) ?? "" }
  }

  private find(
    id: string | undefined,
    index: number | undefined,
    name: string | undefined
  ): StreamedCall | undefined {
    const atIndex = index === undefined ? undefined : this.byIndex.get(index)
    if (id !== undefined) {
      return this.byId.get(id) ?? (atIndex?.id === undefined ? atIndex : undefined)
    }
    if (index !== undefined) return atIndex
    return name === undefined ? this.last : undefined
  }
}

const findText = (value: unknown): string | undefined =>
  typeof value === "string" && value !== "" ? value : undefined
