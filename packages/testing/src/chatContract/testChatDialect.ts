/** Tests of an upstream that passes requests and answers of OpenAI's API on unchanged. */
import * as Result from "effect/Result"
import { expect, test } from "vitest"
import * as reply from "../reply.ts"
import {
  call,
  type ChatHarness,
  getFailure,
  makeDelta,
  toText,
  writtenParameters
} from "./ChatHarness.ts"

export const testChatDialect = (start: () => Promise<ChatHarness>): void => {
  test("separates several answers", async () => {
    await using instance = await start()
    const two = { ...call, parameters: { n: 2 } }
    const { choices } = Result.getOrThrow(await instance.complete(two))
    expect(choices.map(({ index }) => index)).toEqual([0, 1])
    const { events } = await instance.stream(two)
    expect(toText(events, 0)).toBe("All is well.")
    expect(toText(events, 1)).toBe("All is well.")
  })

  test("passes on requested logprobs", async () => {
    await using instance = await start()
    instance.provider.always(reply.logprobs({ yes: 0.75, no: 0.25 }))
    const request = { ...call, parameters: { logprobs: true, top_logprobs: 2 } }
    const logprobs = { content: [{ token: "yes" }] }
    expect(Result.getOrThrow(await instance.complete(request)).choices).toMatchObject([
      { logprobs }
    ])
    const { events } = await instance.stream(request)
    expect(events[0]).toMatchObject({ choices: [{ delta: { content: "yes" }, logprobs }] })
    expect(events[1]).toEqual(makeDelta({}, "stop"))
  })

  test("sends messages and parameters unchanged, whatever their names", async () => {
    await using instance = await start()
    await instance.complete({ ...call, parameters: writtenParameters })
    await instance.stream({ ...call, parameters: writtenParameters })
    expect(instance.provider.requests).toHaveLength(2)
    for (const { body, model, raw } of instance.provider.requests) {
      expect(model).toBe(call.model)
      expect(body).toMatchObject({ messages: call.messages, temperature: 0.25, max_tokens: 50 })
      expect(raw).toContain('"__proto__":{"polluted":true}')
      expect(raw).toContain('{"type":"function","function":{"name":"__proto__"}}')
    }
    expect(instance.provider.requests[1]?.body).toMatchObject({ stream: true })
  })

  test("maps the finish reason `error` to a failure", async () => {
    await using instance = await start()
    instance.provider.always(reply.chat(["All "], { finishReason: "error" }))
    expect(getFailure(await instance.complete()).kind).toBe("server_error")
    const { events, failure } = await instance.stream()
    expect(events).toEqual([makeDelta({ content: "All " })])
    expect(failure?.kind).toBe("server_error")
  })
}
