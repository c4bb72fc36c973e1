/** Earlier turns that callers of the chat API write in their own ways reach every provider as it takes them. */
import { describe, expect, test } from "vitest"
import { chatApi } from "../dialects/InboundApi.ts"
import type { Json } from "../dialects/NativeAnswer.ts"
import { providerDialects, type ProviderDialect } from "../dialects/ProviderDialect.ts"
import { speak } from "../dialects/speak.ts"
import { getProperty, isObject } from "../support/getProperty.ts"
import { historyCases } from "./historyCases.ts"
import { startOddServer } from "./OddServer.ts"

const calm = speak({ said: [{ text: ["All is calm."] }] })

/** A call as a provider received it. */
interface ToldCall {
  readonly id: unknown
  readonly args: unknown
  readonly resultId: unknown
  readonly text: unknown
}

const listObjects = (value: unknown): ReadonlyArray<Json> =>
  Array.isArray(value) ? value.filter(isObject) : []

const joinText = (content: unknown): unknown =>
  Array.isArray(content) ? content.map((part) => getProperty(part, "text")).join("") : content

const readTold: Readonly<Record<ProviderDialect, (body: Json) => ToldCall>> = {
  chat: ({ messages }) => {
    const [, asked, told] = listObjects(messages)
    const [call] = listObjects(asked?.["tool_calls"])
    return {
      id: call?.["id"],
      args: JSON.parse(String(getProperty(call?.["function"], "arguments"))),
      resultId: told?.["tool_call_id"],
      text: joinText(told?.["content"])
    }
  },
  messages: ({ messages }) => {
    const [, asked, told] = listObjects(messages)
    const [call] = listObjects(asked?.["content"])
    const [result] = listObjects(told?.["content"])
    return {
      id: call?.["id"],
      args: call?.["input"],
      resultId: result?.["tool_use_id"],
      text: joinText(result?.["content"])
    }
  },
  gemini: ({ contents }) => {
    const [, asked, told] = listObjects(contents)
    const [call] = listObjects(asked?.["parts"])
    const [result] = listObjects(told?.["parts"])
    return {
      id: getProperty(call?.["functionCall"], "id"),
      args: getProperty(call?.["functionCall"], "args"),
      resultId: getProperty(result?.["functionResponse"], "id"),
      text: getProperty(getProperty(result?.["functionResponse"], "response"), "output")
    }
  },
  responses: ({ input }) => {
    const [, call, result] = listObjects(input)
    return {
      id: call?.["call_id"],
      args: JSON.parse(String(call?.["arguments"])),
      resultId: result?.["call_id"],
      text: joinText(result?.["output"])
    }
  }
}

const omitUndefined = (json: Json): Json => JSON.parse(JSON.stringify(json))

describe.each(providerDialects)("a provider of the dialect %s", (provider) => {
  test.each(historyCases.filter(({ isFor }) => isFor?.includes(provider) ?? true))(
    "gets $name in the form it takes",
    async ({ args = { at: 1 }, call, result, text = "calm" }) => {
      const { ask } = await startOddServer()
      const { content, error, sent } = await ask(
        { api: chatApi, isStreamed: false },
        calm[provider],
        {
          provider,
          request: {
            messages: [
              { role: "user", content: "Is it calm at sea?" },
              {
                role: "assistant",
                content: null,
                tool_calls: [
                  omitUndefined({
                    id: "call_1",
                    type: "function",
                    function: { name: "look", arguments: '{"at":1}' },
                    ...call
                  })
                ]
              },
              omitUndefined({ role: "tool", tool_call_id: "call_1", content: "calm", ...result })
            ]
          }
        }
      )
      expect(error).toBeUndefined()
      expect(content).toBe("All is calm.")
      const told = readTold[provider](sent)
      expect(told).toMatchObject({ args, text })
      expect(told.id).toEqual(expect.stringMatching(/./))
      expect(told.resultId).toBe(told.id)
    }
  )

  test("gets several calls without ids, each with its result", async () => {
    const { ask } = await startOddServer()
    const { error, sent } = await ask({ api: chatApi, isStreamed: false }, calm[provider], {
      provider,
      request: {
        messages: [
          { role: "user", content: "Is it calm at sea?" },
          {
            role: "assistant",
            content: null,
            tool_calls: [1, 2].map((at) => ({
              type: "function",
              function: { name: "look", arguments: { at } }
            }))
          },
          { role: "tool", content: { at: 1 } },
          { role: "tool", content: { at: 2 } }
        ]
      }
    })
    expect(error).toBeUndefined()
    const text = JSON.stringify(sent)
    const ids = Array.from(text.matchAll(/call_\d+_\d+/g), ([id]) => id)
    expect(ids).toHaveLength(4)
    expect(new Set(ids).size).toBe(2)
  })
})
