import { describe, expect, it } from "@effect/vitest"
import * as Result from "effect/Result"
import * as fc from "fast-check"
import { scaleRuns } from "../../../../../vitest.scope.ts"
import type { Conversation } from "../../../src/conversation/Conversation.ts"
import type { Part } from "../../../src/conversation/Part.ts"
import { parseChatConversation } from "../../../src/dialects/chat/parseRequest.ts"
import { writeChatRequest } from "../../../src/dialects/chat/writeRequest.ts"
import { parseGeminiRequest } from "../../../src/dialects/gemini/parseRequest.ts"
import { writeGeminiRequest } from "../../../src/dialects/gemini/writeRequest.ts"
import { commonConversation } from "../arbitraries.ts"
import { geminiRequest } from "./geminiArbitraries.ts"

type Json = Readonly<Record<string, unknown>>

const parse = (body: Json): Conversation => Result.getOrThrow(parseGeminiRequest(body))

const write = (conversation: Conversation): Json =>
  Result.getOrThrow(writeGeminiRequest(conversation))

const reparse = (json: unknown): unknown => JSON.parse(JSON.stringify(json))

/** The sentinel of unsigned calls, which goes to Google only. */
const omitSentinels = (json: unknown): unknown =>
  JSON.parse(JSON.stringify(json), (name: string, value: unknown) =>
    name === "thoughtSignature" && value === "skip_thought_signature_validator" ? undefined : value
  )

/** The API needs the types of media, and results have the name of their call. */
const withoutAdditions = ({ turns, ...rest }: Conversation): Conversation => ({
  ...rest,
  turns: turns.map((turn) => ({ ...turn, parts: turn.parts.map(omitAdditions) }))
})

const omitAdditions = (part: Part): Part => {
  if (part.type === "result") {
    const { name: _, ...result } = part
    return result
  }
  if (part.type !== "image" || part.source.type !== "url") return part
  return { ...part, source: { type: "url", url: part.source.url } }
}

/** Names of files are texts there. */
const withoutNames = (conversation: Conversation): Conversation => ({
  ...conversation,
  turns: conversation.turns.map((turn) => ({ ...turn, parts: turn.parts.map(omitName) }))
})

const omitName = (part: Part): Part => {
  if (part.type !== "file") return part
  const { filename: _, ...file } = part
  return file
}

describe("a request of Google's API", () => {
  it("is the same conversation after it was written again", () => {
    fc.assert(
      fc.property(geminiRequest, (body) => {
        const conversation = parse(body)
        expect(parse(write(conversation))).toEqual(conversation)
      }),
      { numRuns: scaleRuns(1_000) }
    )
  })

  it("is written again as it was", () => {
    fc.assert(
      fc.property(geminiRequest, (body) => {
        expect(omitSentinels(write(parse(body)))).toEqual(reparse(body))
      }),
      { numRuns: scaleRuns(1_000) }
    )
  })

  it("holds what chat says", () => {
    fc.assert(
      fc.property(commonConversation.map(withoutNames), (conversation) => {
        expect(withoutAdditions(parse(write(conversation)))).toEqual(withoutAdditions(conversation))
      }),
      { numRuns: scaleRuns(1_000) }
    )
  })

  it("comes back from chat without loss", () => {
    fc.assert(
      fc.property(commonConversation.map(withoutNames), (conversation) => {
        const chat = writeChatRequest(withoutAdditions(conversation))
        const there = write(Result.getOrThrow(parseChatConversation(chat)))
        expect(writeChatRequest(withoutAdditions(parse(there)))).toEqual(chat)
      }),
      { numRuns: scaleRuns(1_000) }
    )
  })
})
