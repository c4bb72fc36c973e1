/** A conversation of a client of each dialect reaches an upstream of each dialect whole. */
import { assert, describe, expect, it } from "@effect/vitest"
import * as Result from "effect/Result"
import * as fc from "fast-check"
import { scaleRuns } from "../../../../vitest.scope.ts"
import type { Conversation } from "../../src/conversation/Conversation.ts"
import type { Part } from "../../src/conversation/Part.ts"
import { type ChatContent, parseChatConversation } from "../../src/dialects/chat/parseRequest.ts"
import { writeChatRequest } from "../../src/dialects/chat/writeRequest.ts"
import { parseGeminiRequest } from "../../src/dialects/gemini/parseRequest.ts"
import { writeGeminiRequest } from "../../src/dialects/gemini/writeRequest.ts"
import { parseMessagesRequest } from "../../src/dialects/messages/parseRequest.ts"
import { writeMessagesRequest } from "../../src/dialects/messages/writeRequest.ts"
import { parseResponsesRequest } from "../../src/dialects/responses/parseRequest.ts"
import { writeResponsesRequest } from "../../src/dialects/responses/writeRequest.ts"
import type { UntranslatableRequest } from "../../src/dialects/UntranslatableRequest.ts"
import { commonConversation, wholeConversation } from "./arbitraries.ts"

type Json = Readonly<Record<string, unknown>>
type Written<A> = Result.Result<A, UntranslatableRequest>

interface Translator {
  readonly write: (conversation: Conversation) => Written<object>
  readonly parse: (body: Json) => Written<Conversation>
}

const translators = {
  chat: {
    write: (conversation) => Result.succeed(writeChatRequest(conversation)),
    parse: (body) => parseChatConversation(body as unknown as ChatContent)
  },
  messages: {
    write: (conversation) => writeMessagesRequest(conversation, { maxOutputTokens: 1_000 }),
    parse: parseMessagesRequest
  },
  responses: {
    write: (conversation) => writeResponsesRequest(conversation, { model: "m" }),
    parse: parseResponsesRequest
  },
  gemini: { write: writeGeminiRequest, parse: parseGeminiRequest }
} satisfies Readonly<Record<string, Translator>>

type Name = keyof typeof translators
const names = ["chat", "messages", "responses", "gemini"] as const

/** To the JSON of the dialect and back. */
const pass = (conversation: Conversation, name: Name): Conversation => {
  const { parse, write }: Translator = translators[name]
  const body: Json = JSON.parse(JSON.stringify(Result.getOrThrow(write(conversation))))
  return Result.getOrThrow(parse(body))
}

/** What each part says; the spelling of arguments may change. The name of a file is a text where an API has none. */
const listFacts = (part: Part): ReadonlyArray<unknown> => {
  if (part.type === "text") return [part.text]
  if (part.type === "image" || part.type === "file") {
    const name = part.type === "file" && part.filename !== undefined ? [part.filename] : []
    return [...name, part.source.type === "url" ? part.source.url : part.source]
  }
  if (part.type === "call") {
    return [{ id: part.id, name: part.name, arguments: JSON.parse(part.arguments) as unknown }]
  }
  return part.type === "result"
    ? [{ callId: part.callId, content: part.content.flatMap(listFacts) }]
    : [part]
}

const mayCall = ({ toolChoice, tools }: Pick<Conversation, "toolChoice" | "tools">): boolean =>
  tools.length > 0 && toolChoice?.type !== "none"

/** All that neither of the dialects loses. */
const toFacts = (
  { format, logprobs, maxOutputTokens = 0, reasoning, turns, ...rest }: Conversation,
  dialects: ReadonlySet<Name>
) => ({
  // Some dialects have a message for each result.
  said: turns.flatMap(({ parts, role }) => parts.flatMap(listFacts).map((fact) => [role, fact])),
  // Written out by some dialects, and left to the default by others.
  tools: rest.tools.map((tool) => ({ strict: false, ...tool })),
  toolChoice: rest.toolChoice ?? { type: "auto" },
  sampling: rest.sampling,
  effort: reasoning?.effort,
  schema: format?.type === "schema" ? format.schema : format,
  maxOutputTokens: dialects.has("responses") ? Math.max(16, maxOutputTokens) : maxOutputTokens,
  stop: dialects.has("responses") ? [] : rest.stop,
  parallelCalls: dialects.has("gemini") || !mayCall(rest) || (rest.parallelCalls ?? true),
  logprobs: dialects.has("messages") ? undefined : logprobs
})

const pairs = names.flatMap((from) => names.map((to) => ({ from, to })))

describe("a conversation", () => {
  it.each(pairs)("of a client of $from reaches an upstream of $to whole", ({ from, to }) => {
    const dialects = new Set([from, to])
    fc.assert(
      fc.property(wholeConversation, (conversation) => {
        const reached = pass(pass(conversation, from), to)
        expect(toFacts(reached, dialects)).toEqual(toFacts(conversation, dialects))
      }),
      { numRuns: scaleRuns(500) }
    )
  })

  const pairing = ["messages", "responses", "gemini"] as const
  it.each(pairing)("is refused by %s with the id of a result that answers no call", (to) => {
    fc.assert(
      fc.property(commonConversation, fc.nat(), (conversation, at) => {
        const results = conversation.turns.flatMap(({ parts }) =>
          parts.filter(({ type }) => type === "result")
        )
        fc.pre(results.length > 0)
        const stray = results[at % results.length]
        const turns = conversation.turns.map((turn) => ({
          ...turn,
          parts: turn.parts.map((part) =>
            part === stray && part.type === "result" ? { ...part, callId: "call_nobody" } : part
          )
        }))
        const written: Written<object> = translators[to].write({ ...conversation, turns })
        assert(Result.isFailure(written))
        assert.include(JSON.stringify(written.failure), "call_nobody")
      }),
      { numRuns: scaleRuns(300) }
    )
  })
})
