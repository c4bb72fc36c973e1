import { describe, expect, it } from "@effect/vitest"
import * as Result from "effect/Result"
import * as fc from "fast-check"
import { scaleRuns } from "../../../../../vitest.scope.ts"
import type { Conversation } from "../../../src/conversation/Conversation.ts"
import { parseChatConversation } from "../../../src/dialects/chat/parseRequest.ts"
import { writeChatRequest } from "../../../src/dialects/chat/writeRequest.ts"
import { parseMessagesRequest } from "../../../src/dialects/messages/parseRequest.ts"
import { writeMessagesRequest } from "../../../src/dialects/messages/writeRequest.ts"
import { commonConversation } from "../arbitraries.ts"
import { messagesRequest } from "./messagesArbitraries.ts"

const parse = (body: Readonly<Record<string, unknown>>): Conversation =>
  Result.getOrThrow(parseMessagesRequest(body))

const write = (conversation: Conversation) =>
  Result.getOrThrow(writeMessagesRequest(conversation, { maxOutputTokens: 64_000 }))

describe("a request of the Messages API", () => {
  it("is the same conversation after it was written again", () => {
    fc.assert(
      fc.property(messagesRequest, (body) => {
        const conversation = parse(body)
        expect(parse(write(conversation))).toEqual(conversation)
      }),
      { numRuns: scaleRuns(1_000) }
    )
  })

  it("is written again as it was", () => {
    fc.assert(
      fc.property(messagesRequest, (body) => {
        expect(JSON.parse(JSON.stringify(write(parse(body))))).toEqual(
          JSON.parse(JSON.stringify(body))
        )
      }),
      { numRuns: scaleRuns(1_000) }
    )
  })

  it("holds what chat says", () => {
    fc.assert(
      fc.property(commonConversation, (conversation) => {
        expect(parse(write(conversation))).toEqual(conversation)
      }),
      { numRuns: scaleRuns(1_000) }
    )
  })

  it("comes back from chat without loss", () => {
    fc.assert(
      fc.property(commonConversation, (conversation) => {
        const chat = writeChatRequest(conversation)
        const there = write(Result.getOrThrow(parseChatConversation(chat)))
        expect(writeChatRequest(parse(there))).toEqual(chat)
      }),
      { numRuns: scaleRuns(1_000) }
    )
  })
})
