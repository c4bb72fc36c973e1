/** Streams of the AI SDK over an instance when providers and readers fail. */
import { fault, pace, reply } from "@signalbox/testing"
import * as latest from "ai"
import * as lowest from "ai-lowest"
import { describe, expect, test } from "vitest"
import { firstFirst, startAiSdk } from "./startAiSdk.ts"

type AiSdk = Pick<typeof latest, "APICallError" | "generateText" | "streamText">

const versions: ReadonlyArray<readonly [string, AiSdk]> = [
  ["ai", latest],
  // Their types differ in what no test uses.
  ["the lowest version of ai", lowest as unknown as AiSdk]
]
const prompt = "Is it calm at sea?"

describe.each(versions)("%s", (_, { APICallError, generateText, streamText }) => {
  const collect = async (result: ReturnType<typeof streamText>) => {
    const parts: Array<Record<string, unknown>> = []
    for await (const part of result.stream) parts.push({ ...part })
    return {
      parts,
      text: parts.flatMap(({ text, type }) => (type === "text-delta" ? [text] : [])).join(""),
      errors: parts.flatMap(({ error, type }) => (type === "error" ? [error] : []))
    }
  }

  test("a stream whose first provider is killed before its first part is answered by the second", async () => {
    const { ai, first, second } = await startAiSdk()
    // The headers of a stream have arrived when the connection is reset.
    first.script(fault.drop("response_headers", reply.chat(["Never ", "said."])))
    second.script(reply.chat(["It ", "is ", "calm."]))
    const result = streamText({
      model: ai("a/chat"),
      prompt,
      providerOptions: firstFirst,
      maxRetries: 0
    })
    const { errors, text } = await collect(result)
    expect(errors).toEqual([])
    expect(text).toBe("It is calm.")
    expect((await result.finalStep).providerMetadata?.["signalbox"]).toMatchObject({
      provider: "second",
      routing: {
        attempts: [
          { provider: "first", error: "unreachable" },
          { provider: "second", status: 200 }
        ]
      }
    })
    expect([first.requests.length, second.requests.length]).toEqual([1, 1])
  })

  test("a provider that is killed after its first part is an error part, and no other provider is asked", async () => {
    const { ai, findRecord, first, second } = await startAiSdk()
    const gate = first.gate()
    first.script(fault.drop("response_body", reply.chat(["It ", "is ", gate, "calm.", "never"])))
    const result = streamText({
      model: ai("a/chat"),
      prompt,
      providerOptions: firstFirst,
      onError: () => {}
    })
    const collecting = collect(result)
    await first.waitForRequests(1)
    gate.open()
    const { errors, parts, text } = await collecting
    expect(text).toBe("It is ")
    expect(errors).toHaveLength(1)
    const [error] = errors
    expect(APICallError.isInstance(error)).toBe(true)
    expect(error).toMatchObject({
      statusCode: 502,
      isRetryable: false,
      url: "signalbox:streamChat"
    })
    expect(parts.at(-1)).toMatchObject({ type: "finish", finishReason: "error" })
    expect(second.requests).toEqual([])
    const id = (error as { responseHeaders?: Record<string, string> }).responseHeaders?.[
      "x-generation-id"
    ]
    expect(await findRecord(id)).toMatchObject({ attempts: [{ provider: "first" }] })
  })

  test.each(["whole", "streamed"] as const)(
    "%s: when all providers fail, the AI SDK does not start again",
    async (form) => {
      const { ai, first, second } = await startAiSdk()
      for (const each of [first, second]) each.always(fault.status(500))
      const call = { model: ai("a/chat"), prompt, providerOptions: firstFirst }
      const error =
        form === "whole"
          ? await generateText(call).catch((failure: unknown) => failure)
          : (await collect(streamText({ ...call, onError: () => {} }))).errors[0]
      expect(APICallError.isInstance(error)).toBe(true)
      expect(error).toMatchObject({
        statusCode: 503,
        isRetryable: false,
        data: {
          error: {
            code: 503,
            metadata: { previous_errors: [{ provider: "first" }, { provider: "second" }] }
          },
          service_metadata: { attempt: 0 }
        }
      })
      expect([first.requests.length, second.requests.length]).toEqual([1, 1])
    }
  )

  test("a rate limit that says when it ends is worth another try, and one that ends late is not", async () => {
    const { ai, first, second } = await startAiSdk()
    const ask = () =>
      generateText({ model: ai("a/chat"), prompt, maxRetries: 0 }).catch((error: unknown) => error)
    for (const each of [first, second]) each.always(fault.status(429, { retryAfter: 3 }))
    expect(await ask()).toMatchObject({
      statusCode: 429,
      isRetryable: true,
      responseHeaders: { "retry-after": "3" }
    })
    for (const each of [first, second]) each.always(fault.status(429, { retryAfter: 600 }))
    expect(await ask()).toMatchObject({ statusCode: 429, isRetryable: false })
  })

  test("an abort ends the call at the provider before its answer begins", async () => {
    const { ai, first } = await startAiSdk()
    first.always(pace.hold(first.gate()))
    const controller = new AbortController()
    const result = streamText({
      model: ai("a/chat"),
      prompt,
      providerOptions: firstFirst,
      abortSignal: controller.signal
    })
    const collecting = collect(result)
    await first.waitForRequests(1)
    controller.abort()
    const { parts } = await collecting
    expect(parts.at(-1)).toMatchObject({ type: "abort" })
    await first.waitForAborts(1)
  })

  test("a reader that cancels the stream ends the call at the provider", async () => {
    const { ai, first } = await startAiSdk()
    first.always(reply.chat(["It ", first.gate(), "is."]))
    const { stream } = await ai("a/chat").doStream({
      prompt: [{ role: "user", content: [{ type: "text", text: prompt }] }],
      providerOptions: firstFirst
    })
    const reader = stream.getReader()
    for (;;) {
      const { value } = await reader.read()
      if (value?.type === "text-delta") break
    }
    await reader.cancel()
    expect(await first.waitForAborts(1)).toHaveLength(1)
  })

  test("an instance that closes is not asked again", async () => {
    const { ai, instance } = await startAiSdk()
    await instance.close()
    await expect(generateText({ model: ai("a/chat"), prompt })).rejects.toMatchObject({
      statusCode: 503,
      isRetryable: false
    })
  })
})
