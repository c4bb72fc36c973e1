import { Signalbox } from "@signalbox/node"
import { expect, onTestFinished, test } from "vitest"
import { demoToolModel, demoToolUpstream } from "../../src/demo/demo.ts"

const makeInstance = async () => {
  const instance = await Signalbox.make({ upstreams: [demoToolUpstream], models: [demoToolModel] })
  onTestFinished(() => instance.close())
  return instance
}

const weather = {
  type: "function",
  function: {
    name: "weather",
    parameters: {
      type: "object",
      properties: { city: { type: "string" }, days: { type: "integer" }, unit: { type: "string" } },
      required: ["city", "days"]
    }
  }
} as const
const question = { role: "user", content: "Oslo" } as const

test("calls a tool, and repeats its result", async () => {
  const instance = await makeInstance()
  const asked = await instance.chat({
    model: "demo/clerk-1",
    messages: [question],
    tools: [weather]
  })
  const [choice] = asked.choices
  expect(choice?.finish_reason).toBe("tool_calls")
  const [call] = choice?.message.tool_calls ?? []
  expect(call?.function).toEqual({ name: "weather", arguments: '{"city":"Oslo","days":1}' })
  const told = await instance.chat({
    model: "demo/clerk-1",
    messages: [
      question,
      choice!.message,
      { role: "tool", tool_call_id: call!.id, content: "3 degrees" }
    ],
    tools: [weather]
  })
  expect(told.choices[0]?.message.content).toBe("The tool says: 3 degrees")
})

test("a stream has the whole call", async () => {
  const instance = await makeInstance()
  const names: Array<string | undefined> = []
  const reasons: Array<unknown> = []
  const request = { model: "demo/clerk-1", messages: [question], tools: [weather] }
  for await (const { choices } of instance.streamChat(request)) {
    for (const { delta, finish_reason } of choices) {
      names.push(...(delta.tool_calls ?? []).map((call) => call.function?.name))
      reasons.push(finish_reason)
    }
  }
  expect(names).toEqual(["weather"])
  expect(reasons).toEqual([null, "tool_calls"])
})

test.each([
  [{}, "I have no tool for that."],
  [{ tools: [weather], tool_choice: "none" as const }, "I have no tool for that."]
])("without a tool it says so: %j", async (more, content) => {
  const instance = await makeInstance()
  const { choices } = await instance.chat({ model: "demo/clerk-1", messages: [question], ...more })
  expect(choices[0]?.message.content).toBe(content)
})
