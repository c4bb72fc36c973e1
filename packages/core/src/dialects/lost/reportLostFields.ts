/** Tells the caller which fields of its request a translation leaves out. */
import type { Dialect } from "../../conversation/Dialect.ts"
import type { ChatCall } from "../../engine/upstreams/ChatCapability.ts"
import { chatFieldRules } from "./chatFieldRules.ts"
import { type FieldRules, listLostFields, type WrittenFor } from "./listLostFields.ts"
import { messagesFieldRules } from "./messagesFieldRules.ts"
import { responsesFieldRules } from "./responsesFieldRules.ts"

/** By the dialect of the caller; no API in front speaks Gemini's. */
const fieldRules: Readonly<Partial<Record<Dialect, FieldRules>>> = {
  chat: chatFieldRules,
  messages: messagesFieldRules,
  responses: responsesFieldRules
}

/** The fields of the caller's request, by its own names, that the translation into `written` has no place for. */
export const findLostFields = (
  native: ChatCall["native"],
  target: WrittenFor,
  written: Readonly<Record<string, unknown>>
): ReadonlyArray<string> => {
  const rules = fieldRules[native.dialect]
  return rules === undefined ? [] : listLostFields(native.body, { rules, target, written })
}

export const reportLostFields = (
  { native, onChange }: Pick<ChatCall, "native" | "onChange">,
  target: Dialect,
  written: Readonly<Record<string, unknown>>
): void => {
  if (onChange === undefined) return
  const lost = findLostFields(native, target, written)
  if (lost.length > 0) onChange(lost)
}
