/** Tests of an upstream whose API gives several answers, probabilities of tokens, and ends with errors. */
import type { ChatEvent } from "@signalbox/core/upstream"
import * as Result from "effect/Result"
import { expect, test } from "vitest"
import * as reply from "../reply.ts"
import { type ChatHarness, getFailure, makeCall, makeTextDelta, toText } from "./ChatHarness.ts"

export const testSamples = (
  start: () => Promise<ChatHarness>,
  makeEnd: (reason: string) => ChatEvent
): void => {
  test("separates several answers", async () => {
    await using instance = await start()
    const two = makeCall(instance.call.model, { parameters: { n: 2 } })
    const { choices } = Result.getOrThrow(await instance.complete(two))
    expect(choices.map(({ index }) => index)).toEqual([0, 1])
    const { events } = await instance.stream(two)
    expect(toText(events, 0)).toBe("All is well.")
    expect(toText(events, 1)).toBe("All is well.")
  })

  test("passes on requested logprobs", async () => {
    await using instance = await start()
    instance.provider.always(reply.logprobs({ yes: 0.75, no: 0.25 }))
    const request = makeCall(instance.call.model, {
      parameters: { logprobs: true, top_logprobs: 2 }
    })
    const logprobs = { content: [{ token: "yes" }] }
    expect(Result.getOrThrow(await instance.complete(request)).choices).toMatchObject([
      { answer: { logprobs } }
    ])
    const { events } = await instance.stream(request)
    expect(events[0]).toMatchObject({
      choices: [{ events: [{ type: "text", text: "yes" }], logprobs }]
    })
    expect(events[1]).toEqual(makeEnd("stop"))
  })

  test("maps the finish reason `error` to a failure", async () => {
    await using instance = await start()
    instance.provider.always(reply.chat(["All "], { finishReason: "error" }))
    expect(getFailure(await instance.complete()).kind).toBe("server_error")
    const { events, failure } = await instance.stream()
    expect(events).toEqual([makeTextDelta("All ")])
    expect(failure?.kind).toBe("server_error")
  })
}
