import { describe, expect, it } from "vitest"
import { examples, makeRequest } from "../../app/pages/playground/makeRequest.ts"
import { clients, toCode } from "../../app/pages/playground/toCode.ts"

describe("a request of the playground", () => {
  it.each([
    ["chat", { messages: [{ role: "user", content: examples.chat.prompt }] }],
    ["decisions", { state: examples.decisions.prompt }]
  ] as const)("is made of the example of %s", (kind, said) => {
    expect(makeRequest({ kind, ...examples[kind] }, "demo/model")).toMatchObject({
      model: "demo/model",
      ...said
    })
  })

  it.each([
    ["{", "no JSON"],
    ["[]", "must be an object"],
    ["null", "must be an object"],
    [`{"stream":true}`, "leave `stream` out"]
  ])("with the fields %s says what is wrong", (more, problem) => {
    expect(makeRequest({ kind: "chat", prompt: "Hi", more }, "m")).toContain(problem)
  })

  const request = { model: "m", messages: [{ role: "user", content: `it's "x" \\ '''` }] }

  it.each(clients)("as code for %s has the address and the key as placeholders", (client) => {
    expect(toCode(client, "chat", request)).toMatch(/SIGNALBOX_URL[^]*SIGNALBOX_API_KEY/)
  })

  it("as code for Python ends its literal only once", () => {
    expect(toCode("OpenAI SDK, Python", "chat", request)?.split("'''")).toHaveLength(3)
  })

  it("as code for clients of OpenAI has no Decisions", () => {
    expect(toCode("OpenAI SDK", "decisions", { model: "m" })).toBeUndefined()
    expect(toCode("curl", "decisions", { model: "m" })).toContain("/api/alpha/decisions")
  })
})
