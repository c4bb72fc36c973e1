/** How large the content of a chat is: exactly for reserving, roughly for planning. */
import * as Predicate from "effect/Predicate"
import { isMediaPart } from "../outbound/isMediaPart.ts"
import type { ChatMessage } from "../upstreams/ChatCapability.ts"

export interface Content {
  readonly messages: ReadonlyArray<ChatMessage>
  readonly parameters: Readonly<Record<string, unknown>>
}

const encoder = new TextEncoder()

/** UTF-8 bytes as they are sent on: written anew, because `1e20` comes out longer than it came in. */
export const contentBytes = (content: Content): number =>
  encoder.encode(JSON.stringify(content)).byteLength

const imageTypes: ReadonlySet<unknown> = new Set(["image_url", "input_image"])

const isImage = (part: unknown): boolean => Predicate.isObject(part) && imageTypes.has(part["type"])

const partsOf = (content: unknown): ReadonlyArray<unknown> =>
  Array.isArray(content) ? content : []

export const imagesIn = (messages: ReadonlyArray<ChatMessage>): number => count(messages, isImage)

const mediaIn = (messages: ReadonlyArray<ChatMessage>): number => count(messages, isMediaPart)

const count = (
  messages: ReadonlyArray<ChatMessage>,
  isCounted: (part: unknown) => boolean
): number =>
  messages.reduce((sum, { content }) => sum + partsOf(content).filter(isCounted).length, 0)

/** What an image usually counts as. Providers differ: it only decides who has room for the request. */
const tokensPerMedium = 1_000

/** English text has about four bytes a token. */
const bytesPerToken = 4

/** About how many tokens `bytes` of text are. */
export const tokensOf = (bytes: number): number => Math.ceil(bytes / bytesPerToken)

/** About how many tokens the prompt has, which is the whole request unless images make up the most of it. */
export const estimatedTokens = (
  { messages, parameters }: Content,
  requestBytes: number
): number => {
  const media = mediaIn(messages)
  if (media === 0) return tokensOf(requestBytes)
  const text = messages.map((message) =>
    Array.isArray(message["content"])
      ? { ...message, content: message["content"].filter((part) => !isMediaPart(part)) }
      : message
  )
  return tokensOf(contentBytes({ messages: text, parameters })) + media * tokensPerMedium
}
