/** Finds the `provider_parts` of an answer in the chat dialect: what of it only its provider knows. */
import type { OpaquePart } from "../../conversation/Part.ts"
import { isObject } from "../../values/json/isObject.ts"

/**
 * Google's alone: the other APIs leave blocks of searches, which say nothing to callers of chat. Drafts of pictures among the
 * thoughts are no answer.
 */
export const findProviderPart = ({
  dialect,
  raw
}: Pick<OpaquePart, "dialect" | "raw">): Readonly<Record<string, unknown>> | undefined =>
  dialect === "gemini" && isObject(raw) && raw["thought"] !== true ? raw : undefined
