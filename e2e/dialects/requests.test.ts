/** What the client of a chat says reaches a provider of each dialect in its own words, in the hard cases too. */
import { describe, expect, onTestFinished, test } from "vitest"
import { askChat } from "./askChat.ts"
import { DialectServer } from "./DialectServer.ts"
import { getProperty } from "../support/getProperty.ts"
import { type ProviderDialect, providerDialects } from "./ProviderDialect.ts"
import { isRefused, type RequestCase, requestCases } from "./requestCases.ts"
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

const ask = async (
  dialect: ProviderDialect,
  { isStreamed, messages }: Pick<RequestCase, "messages"> & { readonly isStreamed: boolean }
) => {
  const server = await DialectServer.start({
    answer: (request, response) => sendNative(answers[dialect], request, response)
  })
  onTestFinished(() => server[Symbol.asyncDispose]())
  const request = { model: `proof/${dialect}`, messages }
  return { server, answer: await askChat(server.makeClient(), request, isStreamed) }
}

const forms = [
  { form: "whole", isStreamed: false },
  { form: "streamed", isStreamed: true }
]

describe.each(providerDialects)("a request to the dialect %s", (dialect) => {
  const all = requestCases.flatMap(({ sent, ...rest }) =>
    forms.map((form) => ({ ...rest, ...form, expected: sent[dialect] }))
  )

  test.each(all.filter(({ expected }) => !isRefused(expected)))(
    "$name, $form",
    async ({ expected, ...asked }) => {
      const { answer, server } = await ask(dialect, asked)
      expect(answer).toMatchObject({ content: "All is calm." })
      expect(server.requests).toHaveLength(1)
      expect(pickConversation(dialect, server.requests[0]?.json)).toEqual(
        expected === "same" ? { messages: asked.messages } : expected
      )
    }
  )

  // Chat says everything.
  const refused = all.flatMap(({ expected, ...asked }) =>
    isRefused(expected) ? [{ ...asked, reason: expected.refused }] : []
  )
  test.each(refused)(
    "$name, $form: is refused with the reason, and nothing is sent",
    async ({ reason, ...asked }) => {
      const { answer, server } = await ask(dialect, asked)
      expect(answer.error).toMatchObject({ code: 400 })
      expect(answer.error?.message).toContain(reason)
      expect(server.requests).toHaveLength(0)
    }
  )
})
