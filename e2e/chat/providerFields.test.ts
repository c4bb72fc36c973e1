/** Fields that the provider sets on its answer appear in the response and the record, whole and streamed. */
import { reply } from "@signalbox/testing"
import { describe, expect, test } from "vitest"
import type { HttpResponse } from "../support/HttpResponse.ts"
import { parseChatEvents } from "../support/parseChatEvents.ts"
import { getProperty } from "../support/getProperty.ts"
import { send } from "../support/send.ts"
import { keys, TestServer } from "../support/TestServer.ts"
import { decisionMethods } from "../support/decisionMethods.ts"

const providerFields = {
  id: "chatcmpl-at-the-provider",
  model: "model-20300101",
  system_fingerprint: "fp_44",
  service_tier: "flex"
}
const finishReasons = { finish_reason: "stop", native_finish_reason: "end_turn" }
const usage = {
  prompt_tokens: 11,
  completion_tokens: 5,
  prompt_tokens_details: { cached_tokens: 7 },
  completion_tokens_details: { reasoning_tokens: 3 }
}

const steps = {
  whole: reply.json({
    ...providerFields,
    choices: [{ index: 0, message: { role: "assistant", content: "It is." }, ...finishReasons }],
    usage
  }),
  streamed: reply.events([
    { data: { ...providerFields, choices: [{ index: 0, delta: { content: "It " } }] } },
    {
      data: {
        ...providerFields,
        choices: [{ index: 0, delta: { content: "is." }, ...finishReasons }]
      }
    },
    { data: { ...providerFields, choices: [], usage } },
    { data: "[DONE]" }
  ])
}

/** A whole answer, or the chunks of a streamed one. */
const parseMessages = (answer: HttpResponse): ReadonlyArray<unknown> =>
  answer.text.startsWith("data: ") ? parseChatEvents(answer.text).chunks : [answer.body]

describe.each(decisionMethods.slice(0, 2))("$name", (method) => {
  test.each(["whole", "streamed"] as const)(
    "passes the provider's fields through, %s",
    async (form) => {
      await using server = await TestServer.start({ method })
      server.upstreams.first.always(steps[form])
      const headers = {
        authorization: `Bearer ${keys.member}`,
        "content-type": "application/json"
      }
      const answer = await send(`${server.root}/api/v1/chat/completions`, {
        body: JSON.stringify({
          model: "proof/model",
          messages: [{ role: "user", content: "Is it calm at sea?" }],
          provider: { only: ["first"] },
          stream: form === "streamed"
        }),
        headers
      })
      const said = parseMessages(answer)
      expect(said).toHaveLength(form === "whole" ? 1 : 3)
      for (const each of said) {
        expect(each).toMatchObject({
          model: "proof/model",
          provider: "First",
          system_fingerprint: "fp_44",
          service_tier: "flex"
        })
      }
      const ended = said.flatMap((each) => getProperty(each, "choices")).filter(Boolean)
      expect(ended.at(-1)).toMatchObject(finishReasons)
      expect(said.at(-1)).toMatchObject({ usage })

      const id = String(getProperty(said[0], "id"))
      const record = await send(`${server.root}/api/v1/generation?id=${id}`, {
        method: "GET",
        headers
      })
      expect(record.body).toMatchObject({
        data: {
          id,
          ...finishReasons,
          model: "proof/model",
          upstream_model: "model-20300101",
          native_tokens_prompt: 11,
          native_tokens_completion: 5,
          native_tokens_cached: 7,
          native_tokens_reasoning: 3,
          service_tier: "flex",
          streamed: form === "streamed",
          upstream_id: "chatcmpl-at-the-provider"
        }
      })
    }
  )
})

test("the record of a Decision has the provider's id", async () => {
  await using server = await TestServer.start()
  server.upstreams.first.always(reply.decision({}, { id: "dec-at-the-provider" }))
  const { body } = await server.ask()
  const record = await server.generation(getProperty(body, "id"))
  expect(record?.upstreamId).toBe("dec-at-the-provider")
})

test("the record of a Decision has the reasoning tokens", async () => {
  await using server = await TestServer.start({ method: decisionMethods[1]! })
  server.upstreams.first.always(
    reply.decision(
      {},
      {
        id: "chatcmpl-of-a-decision",
        serviceTier: "default",
        usageDetails: { completion_tokens_details: { reasoning_tokens: 3 } }
      }
    )
  )
  const { body } = await server.ask()
  const record = await server.generation(getProperty(body, "id"))
  // Each of the three questions is a call.
  expect(record).toMatchObject({
    upstreamId: "chatcmpl-of-a-decision",
    serviceTier: "default",
    usage: { reasoningTokens: 9 }
  })
})
