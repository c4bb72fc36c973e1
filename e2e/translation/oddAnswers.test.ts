/** Answers that servers with the Messages and the Responses API write in their own ways reach the client of each API. */
import { describe, expect, test } from "vitest"
import type { Json, NativeAnswer } from "../dialects/NativeAnswer.ts"
import type { ProviderDialect } from "../dialects/ProviderDialect.ts"
import { callers, startOddServer, streamedChat, wholeChat } from "./OddServer.ts"

interface OddAnswer {
  readonly name: string
  readonly provider: ProviderDialect
  readonly answer: NativeAnswer
  readonly content?: string
  readonly calls?: ReadonlyArray<Json>
}

const head = {
  id: "msg_1",
  type: "message",
  role: "assistant",
  model: "acme",
  stop_reason: null,
  stop_sequence: null
}
const usage = { input_tokens: 5, output_tokens: 7 }

const toMessage = (content: unknown, stop_reason: string | null = "end_turn"): Json => ({
  ...head,
  content,
  stop_reason,
  usage
})

const toEvents = (blocks: ReadonlyArray<Json>, stop_reason: string | null) =>
  [
    { type: "message_start", message: { ...head, content: [], usage } },
    ...blocks.flatMap((content_block, index) => [
      { type: "content_block_start", index, content_block },
      { type: "content_block_stop", index }
    ]),
    { type: "message_delta", delta: { stop_reason }, usage },
    { type: "message_stop" }
  ].map((data) => ({ event: data.type, data }))

const sayBlocks = (
  blocks: ReadonlyArray<Json>,
  reason: string | null = "tool_use"
): NativeAnswer => ({
  whole: toMessage(blocks, reason),
  events: toEvents(blocks, reason)
})

const toResponse = (output: ReadonlyArray<Json>): Json => ({
  id: "resp_1",
  object: "response",
  created_at: 1,
  status: "completed",
  model: "acme",
  output,
  usage: { ...usage, total_tokens: 12 }
})

const sayItems = (...output: ReadonlyArray<Json>): NativeAnswer => ({
  whole: toResponse(output),
  events: [
    { type: "response.created", response: { ...toResponse([]), status: "in_progress" } },
    ...output.flatMap((item, output_index) => [
      { type: "response.output_item.added", output_index, item },
      { type: "response.output_item.done", output_index, item }
    ]),
    { type: "response.completed", response: toResponse(output) }
  ].map((data) => ({ event: data.type, data }))
})

const look = { name: "look", arguments: { at: 1 } }
const use = { type: "tool_use", id: "a", name: "look", input: { at: 1 } }
const item = { type: "function_call", id: "fc_1", call_id: "a", name: "look", arguments: "{}" }

const answers: ReadonlyArray<OddAnswer> = [
  { name: "a call without an id", answer: sayBlocks([{ ...use, id: undefined }]), calls: [look] },
  { name: "a call with an empty id", answer: sayBlocks([{ ...use, id: "" }]), calls: [look] },
  {
    name: "two calls with the same id",
    answer: { whole: toMessage([use, use], "tool_use") },
    calls: [look, look]
  },
  {
    name: "the text of an input",
    answer: sayBlocks([{ ...use, input: '{"at":1}' }]),
    calls: [look]
  },
  { name: "a content that is a text", answer: { whole: toMessage("ab") }, content: "ab" }
].map((each) => ({ ...each, provider: "messages" as const }))

const items: ReadonlyArray<OddAnswer> = [
  {
    name: "arguments that are an object",
    answer: sayItems({ ...item, arguments: { at: 1 } }),
    calls: [look]
  },
  {
    name: "a call without an id",
    answer: sayItems({ ...item, call_id: undefined, arguments: '{"at":1}' }),
    calls: [look]
  },
  {
    name: "a content that is a text",
    answer: {
      whole: toResponse([{ type: "message", id: "msg_1", role: "assistant", content: "ab" }])
    },
    content: "ab"
  }
].map((each) => ({ ...each, provider: "responses" as const }))

const choice = (said: Json) => ({ id: "chatcmpl-1", model: "acme", choices: [said] })

describe.each(callers)("by the API $name (stream: $isStreamed)", (caller) => {
  test.each(
    [...answers, ...items].filter(
      ({ answer: { events, whole } }) => (caller.isStreamed ? events : whole) !== undefined
    )
  )("$provider: $name", async ({ answer, calls = [], content = "", provider }) => {
    const { ask } = await startOddServer()
    const asked = await ask(caller, answer, { provider })
    expect(asked.content).toBe(content)
    expect(
      asked.calls.map((call) => ({
        name: call["name"],
        arguments: JSON.parse(String(call["arguments"]))
      }))
    ).toEqual(calls)
    const ids = asked.calls.map(({ id }) => id)
    for (const id of ids) expect(id).toEqual(expect.stringMatching(/^(?!undefined$)./))
    expect(new Set(ids).size).toBe(ids.length)
    expect(asked.finish).toBe(calls.length > 0 ? "tool_calls" : "stop")
  })

  // https://platform.openai.com/docs/guides/audio
  test("the words of a spoken answer are read", async () => {
    const { ask } = await startOddServer()
    const audio = { id: "audio_1", data: "AAAA", transcript: "ab", expires_at: 1 }
    const { content, text } = await ask(caller, {
      whole: choice({
        index: 0,
        message: { role: "assistant", content: null, audio },
        finish_reason: "stop"
      }),
      events: [
        { data: choice({ index: 0, delta: { audio: { id: "audio_1", transcript: "a" } } }) },
        { data: choice({ index: 0, delta: { audio: { transcript: "b" } } }) },
        { data: choice({ index: 0, delta: { audio: { data: "AAAA" } } }) },
        { data: choice({ index: 0, delta: {}, finish_reason: "stop" }) },
        { data: "[DONE]" }
      ]
    })
    // A chat has them where the API has them.
    const said = caller.name === "chat" ? text : content
    expect(said).toContain(caller.name === "chat" ? '"transcript"' : "ab")
  })

  test("a picture that OpenAI's model made is shown or reported", async () => {
    const { ask } = await startOddServer()
    const { content, text } = await ask(
      caller,
      sayItems(
        { type: "image_generation_call", id: "ig_1", status: "completed", result: "cGljdHVyZQ==" },
        {
          type: "message",
          id: "msg_1",
          role: "assistant",
          content: [{ type: "output_text", text: "ab", annotations: [] }]
        }
      ),
      { provider: "responses" }
    )
    expect(content).toBe("ab")
    expect(text).toContain(
      caller.name === "messages" ? '"omitted_content":["image"]' : "cGljdHVyZQ=="
    )
  })

  const said = '<tool_call>{"name":"look","arguments":{"at":1}}</tool_call>'
  const tools = [{ name: "look", parameters: { type: "object" } }]
  test.each([
    { name: "of a tool", content: said, calls: [look] },
    { name: "behind a thought", content: `<think>Hm.</think>\n${said}`, calls: [look] },
    { name: "beside a text", content: `${said} So.`, text: `${said} So.` },
    { name: "of no tool", content: said.replace("look", "rm"), text: said.replace("look", "rm") },
    { name: "that was cut off", content: said.slice(0, -3), text: said.slice(0, -3) },
    { name: "without tools", content: said, text: said, isBare: true }
  ])("calls as text $name", async ({ calls = [], content, isBare = false, text = "" }) => {
    const { ask } = await startOddServer()
    const request = {
      tools: tools.map(({ parameters, name }) => {
        if (caller.name === "chat") return { type: "function", function: { name, parameters } }
        return caller.name === "messages"
          ? { name, input_schema: parameters }
          : { type: "function", name, parameters }
      })
    }
    const asked = await ask(
      caller,
      {
        whole: wholeChat({ content }),
        events: streamedChat(Array.from(content, (character) => ({ content: character })))
      },
      isBare ? {} : { request }
    )
    expect(asked.content).toBe(text)
    expect(
      asked.calls.map(({ arguments: given, name }) => ({
        name,
        arguments: JSON.parse(String(given))
      }))
    ).toEqual(calls)
    expect(asked.finish).toBe(calls.length > 0 ? "tool_calls" : "stop")
  })

  // vLLM before 0.10.1 (https://github.com/vllm-project/vllm/pull/22099).
  test("an error without the object around it is an error", async () => {
    const { ask } = await startOddServer()
    const failure = { object: "error", message: "No such model.", type: "NotFound", code: 404 }
    const { error } = await ask(caller, { whole: failure, events: [{ data: failure }] })
    expect(error?.message).toContain("No such model.")
  })
})
