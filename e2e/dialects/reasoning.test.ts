/** Signed reasoning of earlier turns returns to its family unchanged, and to no other. */
import { sendJson } from "@signalbox/testing/recording"
import { describe, expect, onTestFinished, test } from "vitest"
import { askChat } from "./askChat.ts"
import { type Answer, DialectServer } from "./DialectServer.ts"
import type { Json } from "./NativeAnswer.ts"
import { findProviderDialect, type ProviderDialect, providerDialects } from "./ProviderDialect.ts"
import { sendNative } from "./sendNative.ts"
import { speak } from "./speak.ts"

const thought = "The sea first."
const signature = "c2VhLXNpZ25hdHVyZQ=="

const thinking = speak({
  said: [
    { thought, signature },
    { text: ["Let me look."] },
    { call: { id: "call_1", name: "look", arguments: ['{"at":', "1}"] } }
  ]
})
const calm = speak({ said: [{ text: ["All is calm."] }] })

/** What the family gets back, as it said it. */
const returned: Readonly<Record<Exclude<ProviderDialect, "chat">, Json>> = {
  messages: { type: "thinking", thinking: thought, signature },
  gemini: { text: thought, thought: true, thoughtSignature: signature },
  responses: {
    type: "reasoning",
    id: "rs_0",
    summary: [{ type: "summary_text", text: thought }],
    encrypted_content: signature
  }
}

const families = ["messages", "gemini", "responses"] as const

const start = async (answer: Answer) => {
  const server = await DialectServer.start({ answer })
  onTestFinished(() => server[Symbol.asyncDispose]())
  return server
}

/** The first turn, and a request that continues it. */
const makeSecondTurn = async (server: DialectServer, family: string, isStreamed: boolean) => {
  const question = { role: "user", content: "Is it calm at sea?" }
  const first = await askChat(
    server.makeClient(),
    { model: `proof/${family}`, messages: [question] },
    isStreamed
  )
  return [
    question,
    {
      role: "assistant",
      content: first.content,
      tool_calls: first.calls.map(({ arguments: given, id, name }) => ({
        id,
        type: "function",
        function: { name, arguments: given }
      })),
      reasoning_details: first.details
    },
    { role: "tool", tool_call_id: "call_1", content: "Waves of one metre." }
  ]
}

const forms = [false, true]

describe.each(families)("reasoning of the dialect %s", (family) => {
  test.each(forms)("returns to its family unchanged (stream: %s)", async (isStreamed) => {
    let count = 0
    const server = await start((request, response, dialect) =>
      sendNative((count++ === 0 ? thinking : calm)[dialect], request, response)
    )
    const messages = await makeSecondTurn(server, family, isStreamed)
    const request = { model: `proof/${family}`, messages }
    const { content, id } = await askChat(server.makeClient(), request, isStreamed)
    expect(content).toBe("All is calm.")
    const body: unknown = server.requests[1]?.json
    expect(findAll(body, (each) => isLike(each, returned[family]))).toEqual([returned[family]])
    await expect.poll(() => server.findRecord(id ?? "")).toBeDefined()
    expect((await server.findRecord(id ?? ""))?.attempts[0]?.dropped).toBeUndefined()
  })

  test.each(
    providerDialects.flatMap((other) =>
      other === family ? [] : forms.map((isStreamed) => ({ other, isStreamed }))
    )
  )(
    "is dropped by a fallback to $other, which keeps the turn (stream: $isStreamed)",
    async ({ isStreamed, other }) => {
      let isFirst = true
      const server = await start((request, response, dialect) => {
        if (isFirst) {
          isFirst = false
          sendNative(thinking[dialect], request, response)
        } else if (dialect === other) sendNative(calm[other], request, response)
        else sendJson(response, { error: { message: "Overloaded" } }, 503)
      })
      const messages = await makeSecondTurn(server, family, isStreamed)
      const { content, id } = await askChat(
        server.makeClient(),
        {
          model: "proof/all",
          messages,
          provider: { order: [family, other], allow_fallbacks: false }
        },
        isStreamed
      )
      expect(content).toBe("All is calm.")
      const sent = server.requests.at(-1)
      expect(findProviderDialect(sent?.url?.split("?", 1)[0] ?? "")).toBe(other)
      expect(sent?.text).toContain("Let me look.")
      expect(sent?.text).toContain("Waves of one metre.")
      // OpenAI's own dialect passes unchanged: servers ignore what they do not know.
      expect(sent?.text.includes(signature)).toBe(other === "chat")
      expect(sent?.text.includes(thought)).toBe(other === "chat")
      await expect.poll(() => server.findRecord(id ?? "")).toBeDefined()
      const record = await server.findRecord(id ?? "")
      expect(record?.attempts).toMatchObject([
        { provider: family, outcome: "overloaded" },
        { provider: other, outcome: "served" }
      ])
      expect(record?.attempts[0]?.dropped).toBeUndefined()
      expect(record?.attempts[1]?.dropped).toEqual(
        other === "chat" ? undefined : ["reasoning_details"]
      )
    }
  )
})

/** All objects in JSON that `accepts`. */
const findAll = (json: unknown, accepts: (each: Json) => boolean): ReadonlyArray<unknown> => {
  if (Array.isArray(json)) return json.flatMap((each: unknown) => findAll(each, accepts))
  if (typeof json !== "object" || json === null) return []
  const object = { ...json }
  return accepts(object)
    ? [object]
    : Object.values(object).flatMap((each) => findAll(each, accepts))
}

const isLike = (each: Json, wanted: Json): boolean =>
  wanted["type"] === undefined ? each["thought"] === true : each["type"] === wanted["type"]
