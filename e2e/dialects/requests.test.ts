/** What the client of each API says reaches a provider of each dialect in its own words, in the hard cases too. */
import { describe, expect, onTestFinished, test } from "vitest"
import { DialectServer } from "./DialectServer.ts"
import { type InboundApi, inboundApis } from "./InboundApi.ts"
import { getProperty, isObject } from "../support/getProperty.ts"
import { type ProviderDialect, providerDialects } from "./ProviderDialect.ts"
import { isRefused, type RequestCase, requestCases, type Sent } from "./requestCases.ts"
import type { Json } from "./NativeAnswer.ts"
import { sendNative } from "./sendNative.ts"
import { speak } from "./speak.ts"

const answers = speak({ said: [{ text: ["All is calm."] }] })

/** Where a body says what was said. */
const conversationFields: Readonly<Record<ProviderDialect, ReadonlyArray<string>>> = {
  chat: ["messages"],
  messages: ["system", "messages"],
  gemini: ["systemInstruction", "contents"],
  responses: ["instructions", "input"]
}

const pickConversation = (dialect: ProviderDialect, body: unknown) =>
  Object.fromEntries(
    conversationFields[dialect].flatMap((name) => {
      const found = getProperty(body, name)
      return found === undefined ? [] : [[name, found]]
    })
  )

const ask = async (api: InboundApi, dialect: ProviderDialect, body: Json, isStreamed: boolean) => {
  const server = await DialectServer.start({
    answer: (request, response) => sendNative(answers[dialect], request, response),
    // A request of the same dialect is passed on with what its caller got wrong.
    refuses: api.name !== dialect
  })
  onTestFinished(() => server[Symbol.asyncDispose]())
  return {
    server,
    answer: await api.ask(server, { model: `proof/${dialect}`, ...body }, isStreamed)
  }
}

/**
 * A request of the same dialect reaches the provider unchanged; a chat made from another dialect has lists of parts.
 */
const toExpected = (
  api: InboundApi,
  dialect: ProviderDialect,
  { by, messages, sent }: Pick<RequestCase, "by" | "messages" | "sent">,
  body: Json
): Sent => {
  const own = by?.[api.name]?.[dialect]
  if (own !== undefined) return own
  if (api.name === dialect) return pickConversation(dialect, body)
  return sent[dialect] === "same" ? { messages: messages.map(toParts) } : sent[dialect]
}

const isEmptyList = (content: unknown): boolean => Array.isArray(content) && content.length === 0

const toParts = ({ content, ...message }: Json): Json => ({
  ...message,
  ...(content === null || content === undefined || isEmptyList(content)
    ? undefined
    : { content: typeof content === "string" ? [{ type: "text", text: content }] : content })
})

const forms = [
  { form: "whole", isStreamed: false },
  { form: "streamed", isStreamed: true }
]

const pairs = inboundApis.flatMap((api) =>
  providerDialects.map((dialect) => ({ api, dialect, name: api.name }))
)

describe.each(pairs)("a request to the dialect $dialect, by the API $name", ({ api, dialect }) => {
  const all = requestCases.flatMap((each) => {
    const body = api.toBody(each.messages)
    if (body === undefined) return []
    const expected = toExpected(api, dialect, each, body)
    return forms.map((form) => ({ name: each.name, ...form, body, expected }))
  })

  test.each(all.filter(({ expected }) => !isRefused(expected)))(
    "$name, $form",
    async ({ body, expected, isStreamed }) => {
      const { answer, server } = await ask(api, dialect, body, isStreamed)
      expect(answer).toMatchObject({ content: "All is calm." })
      expect(server.requests).toHaveLength(1)
      const sent = pickConversation(dialect, server.requests[0]?.json)
      const { messages } = sent
      const isTranslatedChat = dialect === "chat" && api.name !== "chat"
      expect(
        isTranslatedChat && Array.isArray(messages)
          ? { messages: messages.filter(isObject).map(toParts) }
          : sent
      ).toEqual(expected)
    }
  )

  const refused = all.flatMap(({ expected, ...asked }) =>
    isRefused(expected) ? [{ ...asked, reason: expected.refused }] : []
  )
  test.each(refused)(
    "$name, $form: is refused with the reason, and nothing is sent",
    async ({ body, isStreamed, reason }) => {
      const { answer, server } = await ask(api, dialect, body, isStreamed)
      expect(answer.error).toMatchObject({ code: 400 })
      expect(answer.error?.message).toContain(reason)
      expect(server.requests).toHaveLength(0)
    }
  )
})
