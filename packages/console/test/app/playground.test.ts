import { describe, expect, it } from "vitest"
import { examples, makeRequest } from "../../app/pages/playground/makeRequest.ts"
import { clients, toCode } from "../../app/pages/playground/toCode.ts"

const typed = { isStreamed: false, kind: "chat", more: "", prompt: "Hi", tools: "" } as const
const tools = [{ type: "function", function: { name: "look_up", description: "Looks it up" } }]

describe("a request of the playground", () => {
  it.each([
    ["chat", { messages: [{ role: "user", content: examples.chat.prompt }] }],
    ["decisions", { state: examples.decisions.prompt }]
  ] as const)("is made of the example of %s", (kind, said) => {
    expect(makeRequest({ ...typed, kind, ...examples[kind] }, "demo/model")).toMatchObject({
      model: "demo/model",
      ...said
    })
  })

  it.each([
    ["{", "no JSON"],
    ["[]", "must be an object"],
    ["null", "must be an object"],
    [`{"stream":true}`, "Leave `stream` out"]
  ])("with the fields %s says what is wrong", (more, problem) => {
    expect(makeRequest({ ...typed, more }, "m")).toContain(problem)
  })

  it("has the tools, and streams where that is wanted", () => {
    const made = makeRequest({ ...typed, isStreamed: true, tools: JSON.stringify(tools) }, "m")
    expect(made).toMatchObject({ stream: true, tools })
    expect(makeRequest(typed, "m")).toEqual({
      model: "m",
      messages: [{ role: "user", content: "Hi" }]
    })
  })

  it.each([
    [JSON.stringify(tools), '{ "tools": [] }', "have tools, too"],
    ["{", "", "The tools are no JSON"]
  ])("with the tools %s and the fields %s says what is wrong", (text, more, problem) => {
    expect(makeRequest({ ...typed, more, tools: text }, "m")).toContain(problem)
  })

  const request = { model: "m", messages: [{ role: "user", content: `it's "x" \\ '''` }] }

  it.each(clients)("as code for %s has the address and the key as placeholders", (client) => {
    expect(toCode(client, "chat", request)).toMatch(/SIGNALBOX_URL[^]*SIGNALBOX_API_KEY/)
  })

  it.each(clients)("as code for %s streams, and has the tools", (client) => {
    const code = toCode(client, "chat", { ...request, stream: true, temperature: 0.5, tools })
    expect(code).toContain("look_up")
    expect(code).toContain("temperature")
    expect(code).toMatch(/"?stream"?|streamText/)
  })

  it("as code for Python ends its literal only once", () => {
    expect(toCode("OpenAI SDK, Python", "chat", request)?.split("'''")).toHaveLength(3)
  })

  it("as code for clients of OpenAI has no Decisions", () => {
    expect(toCode("OpenAI SDK", "decisions", { model: "m" })).toBeUndefined()
    expect(toCode("curl", "decisions", { model: "m" })).toContain("/api/alpha/decisions")
  })
})
