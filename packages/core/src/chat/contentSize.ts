/** How large the content of a chat is: exactly for reserving, roughly for planning. */
import * as Predicate from "effect/Predicate"
import { isMediaPart } from "../outbound/isMediaPart.ts"
import { estimateMinBytes } from "../values/json/countJson.ts"
import { type JsonSize, makeJsonSize } from "../values/json/JsonSize.ts"
import type { ChatMessage } from "../upstreams/ChatCapability.ts"

export interface ChatContent {
  readonly messages: ReadonlyArray<ChatMessage>
  readonly parameters: Readonly<Record<string, unknown>>
}

/** UTF-8 bytes as they are sent on: written anew, because `1e20` comes out longer than it came in. */
export const measureContent = (content: ChatContent): JsonSize => makeJsonSize(content)

const imageTypes: ReadonlySet<unknown> = new Set(["image_url", "input_image"])

const isImage = (part: unknown): boolean => Predicate.isObject(part) && imageTypes.has(part["type"])

const listParts = (content: unknown): ReadonlyArray<unknown> =>
  Array.isArray(content) ? content : []

export const countImages = (messages: ReadonlyArray<ChatMessage>): number =>
  countParts(messages, isImage)

const countParts = (
  messages: ReadonlyArray<ChatMessage>,
  isCounted: (part: unknown) => boolean
): number =>
  messages.reduce((sum, { content }) => sum + listParts(content).filter(isCounted).length, 0)

/** What an image usually counts as. Providers differ: it only decides who has room for the request. */
const tokensPerMedium = 1_000

/** English text has about four bytes a token. */
const bytesPerToken = 4

/** About how many tokens `bytes` of text are. */
export const estimateTextTokens = (bytes: number): number => Math.ceil(bytes / bytesPerToken)

/** About how many tokens the prompt has, which is the whole request unless images make up the most of it. */
export const estimatePromptTokens = (
  messages: ReadonlyArray<ChatMessage>,
  requestBytes: number
): number => {
  const media = messages.flatMap(({ content }) => listParts(content).filter(isMediaPart))
  const mediaBytes = media.reduce((sum: number, part) => sum + estimateMinBytes(part), 0)
  return estimateTextTokens(Math.max(0, requestBytes - mediaBytes)) + media.length * tokensPerMedium
}
