/** Writes a call as OpenAI's dialect has it. */
import { isObject } from "../../values/json/isObject.ts"

type Json = Readonly<Record<string, unknown>>

/** What every call has. */
export interface CallParts {
  readonly id: string
  readonly name: string
  /** Text of the arguments, or of the input of a tool of free text. */
  readonly text: string
}

/** With every other field of the call as it was written. */
export const writeCall = (raw: Json, { id, name, text }: CallParts): Json => {
  const { id: _, index: __, type, ...rest } = omitCalled(raw)
  const { custom, function: called } = raw
  const isCustom = isObject(custom)
  return {
    id,
    type: typeof type === "string" && type !== "" ? type : isCustom ? "custom" : "function",
    ...(isCustom
      ? { custom: { ...custom, name, input: text } }
      : { function: { ...(isObject(called) ? called : undefined), name, arguments: text } }),
    ...rest
  }
}

/** A later piece of a streamed call. */
export const writeCallPiece = (raw: Json, isCustom: boolean, text: string): Json => {
  const { id: _, index: __, type: ___, ...rest } = omitCalled(raw)
  return { ...rest, ...toCalled(isCustom, text) }
}

export const toCalled = (isCustom: boolean, text: string): Json =>
  isCustom ? { custom: { input: text } } : { function: { arguments: text } }

const omitCalled = (raw: Json): Json => {
  const { arguments: _, custom: __, function: ___, name: ____, ...rest } = raw
  return rest
}
