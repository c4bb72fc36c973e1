/** Tells the caller which fields of its request a translation leaves out. */
import type { Dialect } from "../../conversation/Dialect.ts"
import type { ChatCall } from "../../engine/upstreams/ChatCapability.ts"
import { chatFieldRules } from "./chatFieldRules.ts"
import { type FieldRules, listLostFields } from "./listLostFields.ts"
import { messagesFieldRules } from "./messagesFieldRules.ts"
import { responsesFieldRules } from "./responsesFieldRules.ts"

/** By the dialect of the caller; no API in front speaks Gemini's. */
const fieldRules: Readonly<Partial<Record<Dialect, FieldRules>>> = {
  chat: chatFieldRules,
  messages: messagesFieldRules,
  responses: responsesFieldRules
}

/** Reports the fields of the caller's request, by its own names, that the translation into `written` has no place for. */
export const reportLostFields = (
  { native, onChange }: Pick<ChatCall, "native" | "onChange">,
  target: Dialect,
  written: Readonly<Record<string, unknown>>
): void => {
  const rules = fieldRules[native.dialect]
  if (rules === undefined || onChange === undefined) return
  const lost = listLostFields(native.body, { rules, target, written })
  if (lost.length > 0) onChange(lost)
}
