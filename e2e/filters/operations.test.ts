/** Content filters on Decisions, speech, transcriptions and images, in process, by clients, and from code. */
import { createOpenRouter } from "@openrouter/ai-sdk-provider"
import { ChatOpenAI } from "@langchain/openai"
import { generateText } from "ai"
import OpenAI from "openai"
import { reply } from "@signalbox/testing"
import { describe, expect, onTestFinished, test } from "vitest"
import { startAudioServer, wavOf } from "../audio/startAudioServer.ts"
import { startImageServer } from "../images/startImageServer.ts"
import { makeClient } from "../support/makeClient.ts"
import { pickHosts } from "../support/pickHosts.ts"
import { keys, makeDecisionRequest, TestServer } from "../support/TestServer.ts"
import { decisionMethods } from "../support/decisionMethods.ts"
import type { Host } from "../support/hosts.ts"

const defaultGuardrail = "ffffffff-0000-4000-8000-000000000000"
const mail = "alice@example.com"

const start = async (host?: Host) => {
  const server = await TestServer.start({
    mount: "/ai",
    method: decisionMethods[1]!,
    ...(host === undefined ? {} : { host })
  })
  onTestFinished(() => server[Symbol.asyncDispose]())
  return server
}

describe.each(pickHosts(import.meta.filename))("content filters, against $name", (host) => {
  test("are written by the reference client, and hold for the clients of chats", async () => {
    const server = await start(host)
    const { guardrails } = makeClient(server, keys.management)
    const { data } = await guardrails.update({
      id: defaultGuardrail,
      updateGuardrailRequest: {
        contentFilterBuiltins: [
          { slug: "email", action: "redact" },
          { slug: "credit-card", action: "block" }
        ],
        contentFilters: [{ pattern: "EMP-\\d{5}", action: "redact", label: null }]
      }
    })
    expect(data.contentFilterBuiltins).toEqual([
      { slug: "email", action: "redact", label: "[EMAIL]" },
      { slug: "credit-card", action: "block", label: "[CREDIT_CARD]" }
    ])
    expect(data.contentFilters).toEqual([{ pattern: "EMP-\\d{5}", action: "redact", label: null }])
    const { first, second } = server.upstreams
    const listSent = () => [...first.requests, ...second.requests].map(({ raw }) => raw)
    for (const upstream of [first, second]) {
      upstream.when(() => true).always(reply.chat(["Done."]))
    }
    const prompt = `Write to ${mail}, EMP-12345.`
    const baseURL = `${server.root}/api/v1`
    const model = "proof/model"
    const askers: ReadonlyArray<(prompt: string) => Promise<unknown>> = [
      (prompt) =>
        new OpenAI({ apiKey: keys.member, baseURL, maxRetries: 0 }).chat.completions.create({
          model,
          messages: [{ role: "user", content: prompt }]
        }),
      (prompt) =>
        generateText({
          model: createOpenRouter({ apiKey: keys.member, baseURL }).chat(model),
          prompt,
          maxRetries: 0
        }),
      (prompt) =>
        new ChatOpenAI({
          apiKey: keys.member,
          model,
          maxRetries: 0,
          configuration: { baseURL }
        }).invoke(prompt)
    ]
    for (const ask of askers) {
      const before = listSent().length
      await ask(prompt)
      expect(listSent()).toHaveLength(before + 1)
      await expect(ask("Charge 4111 1111 1111 1111")).rejects.toThrow(
        /Request blocked by content filter: \[CREDIT_CARD\]/
      )
      expect(listSent()).toHaveLength(before + 1)
    }
    for (const raw of listSent()) expect(raw).toContain("Write to [EMAIL], [REDACTED].")
  })
})

test("Decisions are redacted in their state and their instructions, over HTTP and in process", async () => {
  const server = await start()
  await server.instance.guardrails.update({
    id: defaultGuardrail,
    content_filter_builtins: [{ slug: "email", action: "redact" }]
  })
  const request = { ...makeDecisionRequest(), state: { from: mail, "b@c.com": 1 } }
  await server.instance.decide(request)
  const { raw = "" } =
    server.upstreams.first.requests.at(-1) ?? server.upstreams.second.requests.at(-1) ?? {}
  expect(raw).toContain("[EMAIL]")
  expect(raw).not.toMatch(/alice|b@c/)
})

/** Options of both providers, because either may be asked. */
const optionsOf = (own: object) => ({
  provider: { order: ["first", "second"], options: { first: own, second: own } }
})

const redacted = {
  id: defaultGuardrail,
  content_filter_builtins: [{ slug: "email", action: "redact" }]
} as const
const blocking = {
  id: defaultGuardrail,
  content_filter_builtins: [{ slug: "email", action: "block" }]
} as const

test("transcriptions are screened in their prompt, and in options of providers", async () => {
  const server = await startAudioServer()
  await server.instance.guardrails.update(redacted)
  const wav = new Blob([wavOf(2)], { type: "audio/wav" })
  const prompt = `Names: ${mail}`
  const answers = [
    await server.transcribe({ prompt }),
    await server.sendForm([
      ["file", wav, "audio.wav"],
      ["model", "proof/stt"],
      ["prompt", prompt]
    ]),
    await server.transcribe(optionsOf({ prompt }))
  ]
  expect(answers.map(({ status }) => status)).toEqual([200, 200, 200])
  const sent = [...server.first.requests, ...server.second.requests].map(({ raw }) => raw)
  expect(sent).toHaveLength(3)
  for (const raw of sent) {
    expect(raw).toContain("Names: [EMAIL]")
    expect(raw).not.toContain("alice")
    expect(raw).toContain("RIFF")
  }
  await server.instance.guardrails.update(blocking)
  for (const changes of [{ prompt }, optionsOf({ prompt })]) {
    expect(await server.transcribe(changes)).toMatchObject({
      status: 403,
      body: { error: { message: "Request blocked by content filter: [EMAIL]" } }
    })
  }
  expect([...server.first.requests, ...server.second.requests]).toHaveLength(3)
})

test("speech and images are screened in parameters, and in options of providers", async () => {
  const audio = await startAudioServer()
  await audio.instance.guardrails.update(redacted)
  const instructions = `Speak like ${mail}`
  expect((await audio.speak(optionsOf({ instructions }))).status).toBe(200)
  const [spoken = { raw: "" }] = [...audio.first.requests, ...audio.second.requests]
  expect(spoken.raw).toContain("Speak like [EMAIL]")
  const images = await startImageServer()
  images.always(reply.images())
  await images.instance.guardrails.update(redacted)
  for (const changes of [{ negative_prompt: instructions }, optionsOf({ suffix: instructions })]) {
    expect((await images.paint(changes)).status).toBe(200)
  }
  for (const { raw } of [...images.first.requests, ...images.second.requests]) {
    expect(raw).toContain("Speak like [EMAIL]")
  }
  await images.instance.guardrails.update(blocking)
  expect((await images.paint(optionsOf({ suffix: instructions }))).status).toBe(403)
  expect((await images.paint({ prompt: mail })).status).toBe(403)
})

test("an invalid pattern is a 400 with its reason", async () => {
  const server = await start()
  for (const pattern of ["(a+)+", "(?=a)", "(a)\\1", "[", "a.{480}[ab]"]) {
    await expect(
      server.instance.guardrails.create({
        name: "bad",
        content_filters: [{ pattern, action: "redact" }]
      })
    ).rejects.toMatchObject({ status: 400, reason: "invalid_regex_pattern" })
  }
  await expect(
    server.instance.guardrails.create({
      name: "bad",
      content_filter_builtins: [{ slug: "person-name", action: "redact" }]
    })
  ).rejects.toMatchObject({ status: 400, message: expect.stringContaining("contentChecks") })
})
