import { describe, expect, test } from "vitest"
import { decodeInClient } from "./decodeInClient.ts"

const json = { "content-type": "application/json" }

const answer = (
  status: number,
  body: unknown,
  headers: Readonly<Record<string, string>> = json
) => ({
  status,
  headers,
  body,
  text: JSON.stringify(body)
})

const decision = {
  model: "m",
  answers: { ok: { type: "noul", noul: 0.5 } },
  usage: { input_tokens: 1, output_tokens: 0 }
}

describe("the reference client's decoder", () => {
  test("decodes a decision and an error", async () => {
    const read = await decodeInClient(answer(200, decision))
    expect(read?.answers["ok"]).toEqual({ type: "noul", noul: 0.5 })
    expect(
      await decodeInClient(answer(529, { error: { code: 529, message: "Later." } }))
    ).toBeUndefined()
  })

  test.each([
    ["an unlisted status", answer(418, { error: { code: 418, message: "No." } })],
    ["another success", answer(201, decision)],
    ["an error called a success", answer(200, { error: { code: 500, message: "No." } })],
    ["a success called an error", answer(500, decision)],
    ["another code than the status", answer(404, { error: { code: 400, message: "No." } })],
    ["a code that is text", answer(404, { error: { code: "404", message: "No." } })],
    ["no message", answer(404, { error: { code: 404 } })],
    ["an empty message", answer(404, { error: { code: 404, message: "" } })],
    [
      "text",
      answer(500, { error: { code: 500, message: "No." } }, { "content-type": "text/plain" })
    ],
    ["no usage", answer(200, { ...decision, usage: undefined })],
    [
      "a fractional token count",
      answer(200, { ...decision, usage: { input_tokens: 0.5, output_tokens: 0 } })
    ],
    ["a cost of null", answer(200, { ...decision, usage: { ...decision.usage, cost: null } })],
    ["an answer of no type", answer(200, { ...decision, answers: { ok: { noul: 1 } } })],
    [
      "an answer without its probability",
      answer(200, { ...decision, answers: { ok: { type: "noul" } } })
    ],
    [
      "a choice that is a number",
      answer(200, { ...decision, answers: { ok: { type: "choice", choice: 1 } } })
    ]
  ])("rejects %s", async (_, given) => {
    await expect(decodeInClient(given)).rejects.toThrow(/^the client /)
  })
})
