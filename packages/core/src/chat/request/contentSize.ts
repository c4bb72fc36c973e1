/** The size of a chat's content: exact for reservations, approximate for plans. */
import * as Predicate from "effect/Predicate"
import { isMediaPart } from "../../outbound/isMediaPart.ts"
import { estimateMinBytes } from "../../values/json/countJson.ts"
import { type JsonSize, makeJsonSize } from "../../values/json/JsonSize.ts"
import type { ChatMessage } from "../../upstreams/ChatCapability.ts"
import { estimateTextTokens } from "../../values/usage/estimateTextTokens.ts"

interface ChatContent {
  readonly messages: ReadonlyArray<ChatMessage>
  readonly parameters: Readonly<Record<string, unknown>>
}

/** UTF-8 bytes as they are sent. JSON is serialized again, because `1e20` becomes longer that way. */
export const measureContent = (content: ChatContent): JsonSize => makeJsonSize(content)

const imageTypes: ReadonlySet<unknown> = new Set(["image_url", "input_image"])

const isImage = (part: unknown): boolean => Predicate.isObject(part) && imageTypes.has(part["type"])

const listParts = (messages: ReadonlyArray<ChatMessage>): ReadonlyArray<unknown> =>
  messages.flatMap(({ content }): ReadonlyArray<unknown> => (Array.isArray(content) ? content : []))

export const countImages = (messages: ReadonlyArray<ChatMessage>): number =>
  listParts(messages).filter(isImage).length

/** A typical image. Providers differ, but the estimate only decides which endpoints have room for the request. */
const tokensPerMedium = 1_000

/** Estimated from the bytes of the whole request without its media, plus a constant for each of those. */
export const estimatePromptTokens = (
  messages: ReadonlyArray<ChatMessage>,
  requestBytes: number
): number => {
  const media = listParts(messages).filter(isMediaPart)
  const mediaBytes = media.reduce((sum: number, part) => sum + estimateMinBytes(part), 0)
  return estimateTextTokens(Math.max(0, requestBytes - mediaBytes)) + media.length * tokensPerMedium
}
