/** Content filters before the cache: blocked requests have no hit, redacted ones are the same, filtered answers are not kept. */
import { reply } from "@signalbox/testing"
import { describe, expect, onTestFinished, test } from "vitest"
import { startEmbeddingServer } from "../embeddings/startEmbeddingServer.ts"
import { makeDecisionRequest, TestServer } from "../support/TestServer.ts"
import { startCacheServer } from "./startCacheServer.ts"

const defaultGuardrail = "ffffffff-0000-4000-8000-000000000000"

/** A call in process that uses the cache, with what the cache says of it. */
type Ask = (text: string) => Promise<string | undefined>

interface Asked {
  readonly ask: Ask
  readonly guard: (builtins: ReadonlyArray<Builtin>) => Promise<unknown>
  readonly listSent: () => ReadonlyArray<string>
}

interface Builtin {
  readonly slug: "credit-card" | "email"
  readonly action: "block" | "redact"
  readonly scope?: "answers" | "both" | "prompts"
  readonly restore?: boolean
}

type Cached = {
  readonly cache: true
  readonly onRoute: (report: { readonly cache?: { readonly status: string } }) => void
}

const reporting = async (call: (options: Cached) => Promise<unknown>) => {
  let status: string | undefined
  await call({ cache: true, onRoute: (report) => (status = report.cache?.status) })
  return status
}

const startDecisions = async (): Promise<Asked> => {
  const server = await TestServer.start()
  onTestFinished(() => server[Symbol.asyncDispose]())
  const { first, second } = server.upstreams
  return {
    ask: (state) =>
      reporting((options) => server.instance.decide(makeDecisionRequest({ state }), options)),
    guard: (builtins) => guardInstance(server.instance, builtins),
    listSent: () => [...first.requests, ...second.requests].map(({ raw }) => raw)
  }
}

const startOneModel = async (operation: "embeddings" | "rerank"): Promise<Asked> => {
  const { always, first, instance, second } = await startEmbeddingServer()
  always(operation === "rerank" ? reply.ranking([0.25, 0.75]) : reply.embeddings())
  return {
    ask: (text) =>
      reporting((options) =>
        operation === "rerank"
          ? instance.rerank(
              { model: "proof/rank", query: "Is it calm?", documents: [text, "No."] },
              options
            )
          : instance.embed({ model: "proof/embed", input: [text] }, options)
      ),
    guard: (builtins) => guardInstance(instance, builtins),
    listSent: () => [...first.requests, ...second.requests].map(({ raw }) => raw)
  }
}

const startChats = async (isStreamed: boolean): Promise<Asked> => {
  const { first, instance, second } = await startCacheServer()
  return {
    ask: (content) =>
      reporting((options) =>
        isStreamed
          ? readAll(instance.streamChat(toRequest(content), options))
          : instance.chat(toRequest(content), options)
      ),
    guard: (builtins) => guardInstance(instance, builtins),
    listSent: () => [...first.requests, ...second.requests].map(({ raw }) => raw)
  }
}

const toRequest = (content: string) => ({
  model: "proof/model:floor",
  messages: [{ role: "user" as const, content }]
})

const readAll = async (chunks: AsyncIterable<unknown>): Promise<ReadonlyArray<unknown>> => {
  const read: Array<unknown> = []
  for await (const chunk of chunks) read.push(chunk)
  return read
}

const guardInstance = (
  { guardrails }: Pick<TestServer["instance"], "guardrails">,
  builtins: ReadonlyArray<Builtin>
) => guardrails.update({ id: defaultGuardrail, content_filter_builtins: [...builtins] })

describe.each([
  ["chats", () => startChats(false)],
  ["streamed chats", () => startChats(true)],
  ["Decisions", startDecisions],
  ["embeddings", () => startOneModel("embeddings")],
  ["reranks", () => startOneModel("rerank")]
] as const)("%s", (_, start) => {
  test("that are blocked are not answered from the cache", async () => {
    const { ask, guard, listSent } = await start()
    const text = "Charge 4111 1111 1111 1111"
    expect(await ask(text)).toBe("MISS")
    expect(await ask(text)).toBe("HIT")
    await guard([{ slug: "credit-card", action: "block" }])
    await expect(ask(text)).rejects.toThrow(/\[CREDIT_CARD\]/)
    expect(listSent()).toHaveLength(1)
    await guard([])
    expect(await ask(text)).toBe("HIT")
  })

  test("are the same when they are after their redaction", async () => {
    const { ask, guard, listSent } = await start()
    expect(await ask("Write to a@x.com")).toBe("MISS")
    await guard([{ slug: "email", action: "redact" }])
    expect(await ask("Write to a@x.com")).toBe("MISS")
    expect(await ask("Write to b@y.com")).toBe("HIT")
    expect(listSent()).toHaveLength(2)
    expect(listSent().some((raw) => raw.includes("Write to [EMAIL]"))).toBe(true)
    await guard([])
    // What was sent redacted is not what this one says.
    expect(await ask("Write to b@y.com")).toBe("MISS")
  })

  test("whose answers are filtered, or get contents back, are neither stored nor served", async () => {
    const { ask, guard, listSent } = await start()
    expect(await ask("Write to a@x.com")).toBe("MISS")
    await guard([{ slug: "email", action: "redact", scope: "answers" }])
    expect(await ask("Write to a@x.com")).toBeUndefined()
    expect(await ask("Write to a@x.com")).toBeUndefined()
    await guard([{ slug: "email", action: "redact", restore: true }])
    expect(await ask("Write to a@x.com")).toBeUndefined()
    expect(await ask("Write to b@y.com")).toBeUndefined()
    expect(listSent()).toHaveLength(5)
    await guard([])
    expect(await ask("Write to a@x.com")).toBe("HIT")
  })
})

test("a caller whose guardrail redacts answers does not get the stored answer of another one", async () => {
  const { ask, first, manage } = await startCacheServer()
  first.always(reply.chat("Write to alice@example.com."))
  expect((await ask()).cache).toBe("MISS")
  const { body } = await manage("/guardrails", {
    name: "redacting",
    content_filter_builtins: [{ slug: "email", action: "redact", scope: "answers" }]
  })
  const { data } = body as { readonly data: { readonly id: string } }
  await manage(`/guardrails/${data.id}/assignments/members`, { member_user_ids: ["mem-2"] })
  for (const stream of [false, true]) {
    const redacted = await ask({ stream }, undefined, "sk-two")
    expect(redacted.cache).toBeUndefined()
    expect(redacted.text).toContain("[EMAIL]")
    expect(redacted.text).not.toContain("alice")
  }
  const hit = await ask()
  expect(hit).toMatchObject({ cache: "HIT", said: expect.stringContaining("alice@example.com") })
})
