/** What a provider says of an answer in its own words reaches caller and record, whole and streamed. */
import { reply } from "@signalbox/testing"
import { describe, expect, test } from "vitest"
import type { Answer } from "./Answer.ts"
import { chatEventsIn } from "./chatEventsIn.ts"
import { property } from "./property.ts"
import { send } from "./send.ts"
import { keys, Stage } from "./Stage.ts"
import { ways } from "./ways.ts"

const words = {
  id: "chatcmpl-at-the-provider",
  model: "model-20300101",
  system_fingerprint: "fp_44",
  service_tier: "flex"
}
const ending = { finish_reason: "stop", native_finish_reason: "end_turn" }
const usage = {
  prompt_tokens: 11,
  completion_tokens: 5,
  prompt_tokens_details: { cached_tokens: 7 },
  completion_tokens_details: { reasoning_tokens: 3 }
}

const steps = {
  whole: reply.json({
    ...words,
    choices: [{ index: 0, message: { role: "assistant", content: "It is." }, ...ending }],
    usage
  }),
  streamed: reply.events([
    { data: { ...words, choices: [{ index: 0, delta: { content: "It " } }] } },
    { data: { ...words, choices: [{ index: 0, delta: { content: "is." }, ...ending }] } },
    { data: { ...words, choices: [], usage } },
    { data: "[DONE]" }
  ])
}

/** An answer, or its chunks. */
const saidIn = (answer: Answer): ReadonlyArray<unknown> =>
  answer.text.startsWith("data: ") ? chatEventsIn(answer.text).chunks : [answer.body]

describe.each(ways.slice(0, 2))("$name", (way) => {
  test.each(["whole", "streamed"] as const)("tells what the provider says, %s", async (form) => {
    await using stage = await Stage.open({ way })
    stage.upstreams.first.always(steps[form])
    const headers = {
      authorization: `Bearer ${keys.member}`,
      "content-type": "application/json"
    }
    const answer = await send(`${stage.root}/api/v1/chat/completions`, {
      body: JSON.stringify({
        model: "proof/model",
        messages: [{ role: "user", content: "Is it calm at sea?" }],
        provider: { only: ["first"] },
        stream: form === "streamed"
      }),
      headers
    })
    const said = saidIn(answer)
    expect(said).toHaveLength(form === "whole" ? 1 : 3)
    for (const each of said) {
      expect(each).toMatchObject({
        model: "proof/model",
        provider: "First",
        system_fingerprint: "fp_44",
        service_tier: "flex"
      })
    }
    const ended = said.flatMap((each) => property(each, "choices")).filter(Boolean)
    expect(ended.at(-1)).toMatchObject(ending)
    expect(said.at(-1)).toMatchObject({ usage })

    const id = String(property(said[0], "id"))
    const record = await send(`${stage.root}/api/v1/generation?id=${id}`, {
      method: "GET",
      headers
    })
    expect(record.body).toMatchObject({
      data: {
        id,
        ...ending,
        model: "model-20300101",
        native_tokens_prompt: 11,
        native_tokens_completion: 5,
        native_tokens_cached: 7,
        native_tokens_reasoning: 3,
        service_tier: "flex",
        streamed: form === "streamed",
        upstream_id: "chatcmpl-at-the-provider"
      }
    })
  })
})

test("the id of a Decision at its provider is in its record", async () => {
  await using stage = await Stage.open()
  stage.upstreams.first.always(reply.decision({}, { id: "dec-at-the-provider" }))
  const { body } = await stage.ask()
  const record = await stage.generation(property(body, "id"))
  expect(record?.upstreamId).toBe("dec-at-the-provider")
})

test("a Decision that is thought about has the tokens of that in its record", async () => {
  await using stage = await Stage.open({ way: ways[1]! })
  stage.upstreams.first.always(
    reply.decision(
      {},
      {
        id: "chatcmpl-of-a-decision",
        serviceTier: "default",
        usageDetails: { completion_tokens_details: { reasoning_tokens: 3 } }
      }
    )
  )
  const { body } = await stage.ask()
  const record = await stage.generation(property(body, "id"))
  // One call for each of three questions.
  expect(record).toMatchObject({
    upstreamId: "chatcmpl-of-a-decision",
    serviceTier: "default",
    usage: { reasoningTokens: 9 }
  })
})
