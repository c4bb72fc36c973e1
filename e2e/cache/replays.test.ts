/** A hit of each API looks like an answer of its own: whole and streamed, at providers of the same and of other dialects. */
import { reply } from "@signalbox/testing"
import { describe, expect, test } from "vitest"
import { clientDialects, startClientServer } from "../clients/startClientServer.ts"
import { fastify5, nodeHost } from "../support/hosts.ts"
import { keys } from "../support/TestServer.ts"
import { send } from "../support/send.ts"

const apis = {
  chat: {
    path: "/api/v1/chat/completions",
    body: { messages: [{ role: "user", content: "Is it calm?" }] }
  },
  messages: {
    path: "/api/v1/messages",
    body: { max_tokens: 100, messages: [{ role: "user", content: "Is it calm?" }] }
  },
  responses: { path: "/api/v1/responses", body: { input: "Is it calm?" } }
} as const

/** What differs between two answers to the same request by its nature. */
const withoutIdentity = (text: string): string =>
  text
    .replaceAll(/"(id|item_id)":"[^"]*"/g, '"$1":""')
    .replaceAll(/"(created|created_at|completed_at)":[\d.]+/g, '"$1":0')

/** What differs, too, because a hit used and cost nothing. */
const withoutUsage = (text: string): string =>
  withoutIdentity(text).replaceAll(/"usage":\{(?:[^{}]|\{[^{}]*\})*\}/g, '"usage":{}')

const listNumbers = (text: string): ReadonlyArray<number> =>
  Array.from(text.matchAll(/"usage":(\{(?:[^{}]|\{[^{}]*\})*\})/g), ([, usage]) =>
    Array.from(usage!.matchAll(/:(\d[\d.e-]*)/g), ([, digits]) => Number(digits))
  ).flat()

describe.each(clientDialects)("at a provider of %s", (dialect) => {
  describe.each(Object.entries(apis))("by the API %s", (_, { body, path }) => {
    test.each([false, true])("streamed: %s", async (stream) => {
      const { asking, first, server } = await startClientServer(
        dialect === "chat" ? fastify5 : nodeHost,
        dialect
      )
      first.always(
        reply.chat(["It ", "is ", "calm."], { usage: { inputTokens: 10, outputTokens: 3 } })
      )
      const ask = (headers: Readonly<Record<string, string>> = { "x-openrouter-cache": "true" }) =>
        send(asking.root + path, {
          headers: {
            authorization: `Bearer ${keys.member}`,
            "content-type": "application/json",
            "x-openrouter-metadata": "enabled",
            ...headers
          },
          body: JSON.stringify({ model: asking.model, stream, ...body })
        })

      const miss = await ask()
      const hit = await ask()
      const plain = await ask({})
      expect(miss.status).toBe(200)
      expect(hit.status).toBe(200)
      expect(miss.headers["x-openrouter-cache-status"]).toBe("MISS")
      expect(miss.headers["x-openrouter-cache-ttl"]).toBe("300")
      expect(miss.headers["x-openrouter-cache-age"]).toBeUndefined()
      expect(hit.headers["x-openrouter-cache-status"]).toBe("HIT")
      expect(Number(hit.headers["x-openrouter-cache-ttl"])).toBeLessThanOrEqual(300)
      expect(hit.headers["x-openrouter-cache-age"]).toMatch(/^\d+$/)
      expect(hit.headers["x-openrouter-cache-source-id"]).toBe(miss.headers["x-generation-id"])
      expect(hit.headers["x-generation-id"]).not.toBe(miss.headers["x-generation-id"])
      expect(
        Object.keys(plain.headers).filter((name) => name.includes("openrouter-cache"))
      ).toEqual([])
      expect(first.requests).toHaveLength(2)

      expect(miss.text).toContain("openrouter_metadata")
      expect(hit.text).not.toContain("_metadata")
      const unmarked = await ask({ "x-openrouter-metadata": "" })
      expect(withoutUsage(hit.text)).toBe(withoutUsage(unmarked.text))
      expect(listNumbers(unmarked.text).some((count) => count > 0)).toBe(true)
      expect(listNumbers(hit.text).length).toBeGreaterThan(0)
      expect(listNumbers(hit.text).every((count) => count === 0)).toBe(true)
      const id = hit.headers["x-generation-id"]!
      expect(hit.text).toContain(id.replace("gen-", ""))

      const record = await server.generation(id)
      expect(record).toMatchObject({
        cost: 0n,
        usage: { inputTokens: 0, outputTokens: 0 },
        attempts: [],
        model: "proof/model",
        provider: "First",
        finishReason: "stop",
        cache: { status: "hit", source: miss.headers["x-generation-id"], saved: 16_000n }
      })
    })
  })
})
