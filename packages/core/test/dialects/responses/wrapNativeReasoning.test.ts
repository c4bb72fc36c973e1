import { describe, expect, it } from "vitest"
import { passOnResponses } from "../../../src/dialects/responses/passOnResponses.ts"
import { wrapNativeReasoning } from "../../../src/dialects/responses/makeResponsesChat.ts"

const format = "azure-openai-responses-v1"
const reasoning = {
  type: "reasoning",
  id: "rs_1",
  summary: [{ type: "summary_text", text: "First the sea." }],
  encrypted_content: "c2VhLXNpZw=="
}
const said = { type: "message", id: "msg_1", role: "assistant", content: [] }

const sendBack = (item: unknown, family: "azure" | "openai") =>
  passOnResponses(
    { model: "m", input: [item] },
    {
      isStreamed: false,
      maxOutputTokens: 100,
      model: "m",
      serviceTier: undefined,
      supportedParameters: undefined
    },
    family
  )["input"]

describe("wrapNativeReasoning", () => {
  const wrapped = wrapNativeReasoning({ output: [reasoning, said] }, format)["output"] as [
    typeof reasoning,
    typeof said
  ]

  it("leaves everything but encrypted reasoning as it is", () => {
    const { encrypted_content, ...others } = reasoning
    expect(wrapped).toMatchObject([others, said])
    expect(wrapped[0].encrypted_content).not.toBe(encrypted_content)
  })

  it("lets the provider have its own back", () => {
    expect(sendBack(wrapped[0], "azure")).toMatchObject([
      { type: "reasoning", summary: reasoning.summary, encrypted_content: "c2VhLXNpZw==" }
    ])
  })

  it("keeps it from other providers", () => {
    expect(sendBack(wrapped[0], "openai")).toEqual([])
  })

  it("marks the items of events alike", () => {
    const event = { type: "response.output_item.done", item: reasoning }
    expect(wrapNativeReasoning(event, format)).toEqual({ ...event, item: wrapped[0] })
    const end = { type: "response.completed", response: { output: [reasoning] } }
    expect(wrapNativeReasoning(end, format)).toEqual({
      ...end,
      response: { output: [wrapped[0]] }
    })
  })
})
