/** Finds the thought of a model in the fields that servers have for it. */
import type { ChatCall } from "../../engine/upstreams/ChatCapability.ts"
import { RequestChanges, reportChanges } from "../RequestChanges.ts"
import { reasoningNames, renameReasoning } from "./reasoningParameters.ts"

type Json = Readonly<Record<string, unknown>>

/** The field of the contract, which OpenRouter, Groq and others also write. */
const contractField = "reasoning"

/** The fields of DeepSeek, Moonshot and vLLM, of Copilot, and of gateways. */
const otherFields = ["reasoning_content", "reasoning_text", "thinking"] as const

/** The thoughts in a message or a delta; undefined: none. Servers that say them in two fields say the same. */
export const findReasoningText = (said: Json): string | undefined => {
  const text = said[contractField]
  return isText(text) ? text : findOtherText(said)
}

/** The same beside `reasoning`, where callers look for it; undefined: it is there, or nowhere. */
export const findMissingReasoning = (said: Json): string | undefined =>
  isText(said[contractField]) ? undefined : findOtherText(said)

/** Whether a field of this name has thoughts outside of the contract. */
export const isOtherReasoning = (name: string): boolean =>
  otherFields.some((field) => field === name)

/** Whether a field of this name has thoughts. */
export const isReasoningField = (name: string): boolean =>
  name === contractField || isOtherReasoning(name)

const findOtherText = (said: Json): string | undefined => {
  for (const field of otherFields) {
    const text = said[field]
    if (isText(text)) return text
  }
  return undefined
}

const isText = (value: unknown): value is string => typeof value === "string" && value !== ""

type Parameters = Readonly<Record<string, unknown>>

/** The same parameters where the endpoint has no list, or their names are in it. The messages may stand among them. */
export const nameReasoning = (
  parameters: Parameters,
  call: Pick<ChatCall, "native"> & {
    readonly supportedParameters: ChatCall["supportedParameters"] | undefined
    readonly onChange: ChatCall["onChange"] | undefined
  },
  /** The cap of the answer, as the caller set it. */
  cap: number | undefined
): Parameters => {
  const { native, supportedParameters: supported } = call
  if (supported === undefined) return parameters
  const taken = reasoningNames.filter((name) => supported.has(name))
  if (taken.length === 0) return parameters
  const changes = new RequestChanges()
  const isTranslated = native.dialect !== "chat"
  const renamed = renameReasoning(parameters, taken, { cap, isTranslated, changes })
  if (renamed !== parameters) reportChanges(call, changes)
  return renamed
}
