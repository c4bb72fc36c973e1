import { assert, describe, expect, it } from "@effect/vitest"
import * as Result from "effect/Result"
import type { Conversation, Turn } from "../../../src/conversation/Conversation.ts"
import type { CallPart, Part, ResultPart } from "../../../src/conversation/Part.ts"
import {
  type MessagesWriteOptions,
  writeMessagesRequest
} from "../../../src/dialects/messages/writeRequest.ts"

const text = (said: string): Part => ({ type: "text", text: said })
const user = (...parts: ReadonlyArray<Part>): Turn => ({ role: "user", parts })
const assistant = (...parts: ReadonlyArray<Part>): Turn => ({ role: "assistant", parts })
const system = (said: string): Turn => ({ role: "system", parts: [text(said)] })
const call = (id: string, args = "{}"): CallPart => ({
  type: "call",
  id,
  name: "f",
  arguments: args
})
const result = (callId: string, ...content: ResultPart["content"]): Turn => ({
  role: "tool",
  parts: [{ type: "result", callId, content }]
})

const talk = (turns: ReadonlyArray<Turn>, rest: Partial<Conversation> = {}): Conversation => ({
  turns,
  tools: [],
  sampling: {},
  stop: [],
  ...rest
})

const attempt = (conversation: Conversation, options: Partial<MessagesWriteOptions> = {}) =>
  writeMessagesRequest(conversation, { maxOutputTokens: 64_000, ...options })

const write = (
  turns: ReadonlyArray<Turn>,
  rest: Partial<Conversation> = {},
  options: Partial<MessagesWriteOptions> = {}
) => Result.getOrThrow(attempt(talk(turns, rest), options))

const getProblem = (
  turns: ReadonlyArray<Turn>,
  rest: Partial<Conversation> = {},
  options: Partial<MessagesWriteOptions> = {}
): string => {
  const written = attempt(talk(turns, rest), options)
  return Result.isFailure(written) ? written.failure.problem : "none"
}

const file = (mediaType: string, data: string): Part => ({
  type: "file",
  source: { type: "base64", mediaType, data },
  filename: "a"
})

const base64 = (mediaType: string) => ({ type: "base64", mediaType, data: "AAAA" }) as const

const hi = [user(text("hi"))]
const block = (said: string) => ({ type: "text", text: said })

describe("the turns of writeMessagesRequest", () => {
  it("puts instructions at the beginning into the system prompt, block by block", () => {
    const cache = { type: "ephemeral", ttl: "1h" } as const
    expect(
      write([
        { role: "system", parts: [text("a"), { type: "text", text: "b", cache }] },
        system("c"),
        ...hi
      ])
    ).toEqual({
      max_tokens: 64_000,
      system: [block("a"), { ...block("b"), cache_control: cache }, block("c")],
      messages: [{ role: "user", content: [block("hi")] }]
    })
  })

  it("leaves instructions in the middle where they are, if the model takes them there", () => {
    const turns = [
      ...hi,
      system("be brief"),
      system("!"),
      assistant(text("ok")),
      ...hi,
      system("x")
    ]
    expect(write(turns)["messages"]).toEqual([
      { role: "user", content: [block("hi")] },
      { role: "system", content: [block("be brief"), block("!")] },
      { role: "assistant", content: [block("ok")] },
      { role: "user", content: [block("hi")] },
      { role: "system", content: [block("x")] }
    ])
  })

  it("marks instructions as such where the model takes none", () => {
    const marked = block("<system>\nbe brief\n</system>")
    const turns = [...hi, system("be brief"), assistant(text("ok")), ...hi]
    expect(write(turns, {}, { takesSystemTurns: false })["messages"]).toEqual([
      { role: "user", content: [block("hi"), marked] },
      { role: "assistant", content: [block("ok")] },
      { role: "user", content: [block("hi")] }
    ])
    // After an answer, and before a message of the user.
    expect(
      write([...hi, assistant(text("ok")), system("be brief"), user(text("so"))])["messages"]
    ).toEqual([
      { role: "user", content: [block("hi")] },
      { role: "assistant", content: [block("ok")] },
      { role: "user", content: [marked, block("so")] }
    ])
  })

  it("merges messages of the same role, and leaves out empty ones", () => {
    const turns = [
      user(text("a")),
      user(text("")),
      user(),
      user(text("b")),
      assistant(text("")),
      user(text("c")),
      assistant(text("d")),
      assistant(text("e"))
    ]
    expect(write(turns)["messages"]).toEqual([
      { role: "user", content: [block("a"), block("b"), block("c")] },
      { role: "assistant", content: [block("d"), block("e")] }
    ])
  })

  it("puts results behind their calls, in the order of those, before what is said next", () => {
    const turns = [
      ...hi,
      assistant(call("a"), call("b"), call("c")),
      result("c", { type: "text", text: "three" }),
      result("a", { type: "text", text: "one" }),
      result("b"),
      user(text("go on"))
    ]
    expect(write(turns)["messages"]).toMatchObject([
      { role: "user" },
      { role: "assistant" },
      {
        role: "user",
        content: [
          { type: "tool_result", tool_use_id: "a", content: [block("one")] },
          { type: "tool_result", tool_use_id: "b" },
          { type: "tool_result", tool_use_id: "c", content: [block("three")] },
          block("go on")
        ]
      }
    ])
  })

  it("says of a call without a result that it was interrupted", () => {
    expect(write([...hi, assistant(call("a")), ...hi])["messages"]).toMatchObject([
      {},
      {},
      { content: [{ type: "tool_result", tool_use_id: "a", is_error: true }, block("hi")] }
    ])
  })

  it("rejects a result without, or before, its call, and names it", () => {
    expect(getProblem([...hi, result("lost")])).toContain('"lost"')
    expect(getProblem([result("a"), assistant(call("a"))])).toContain('"a"')
  })

  it("keeps arguments that were cut readable, because the API takes only objects", () => {
    for (const args of ['{"x":', "[]", "7"]) {
      const { messages } = write([...hi, assistant(call("cut-1", args)), result("cut-1")])
      expect(messages).toMatchObject([
        {},
        { content: [{ input: { invalid_arguments: args } }] },
        {}
      ])
    }
  })

  it("gives a call without any arguments an empty input", () => {
    expect(write([...hi, assistant(call("a", "")), result("a")])["messages"]).toMatchObject([
      {},
      { content: [{ type: "tool_use", id: "a", name: "f", input: {} }] },
      {}
    ])
  })

  it("changes ids that the API refuses, the same way in a call and its result", () => {
    const { messages } = write([
      ...hi,
      assistant(call("call:1"), call("call.1"), call("call_1")),
      result("call:1"),
      result("call.1"),
      result("call_1")
    ])
    const [, asked, answered] = messages as ReadonlyArray<{
      readonly content: ReadonlyArray<{ readonly id?: string; readonly tool_use_id?: string }>
    }>
    const ids = asked!.content.map(({ id }) => id)
    expect(answered!.content.map((each) => each.tool_use_id)).toEqual(ids)
    assert.strictEqual(new Set(ids).size, 3)
    assert.strictEqual(ids[2], "call_1")
    for (const id of ids) assert.match(id!, /^[a-zA-Z0-9_-]+$/)
  })

  it("keeps images and files inside of results", () => {
    const image = { type: "url", url: "https://a.test/b.png" } as const
    const { messages } = write([
      ...hi,
      assistant(call("a")),
      result("a", { type: "image", source: image })
    ])
    expect(messages).toMatchObject([
      {},
      {},
      { content: [{ type: "tool_result", content: [{ type: "image", source: image }] }] }
    ])
  })

  it("continues what the assistant has begun, without white space at its end", () => {
    expect(write([...hi, assistant(text("So: \n"))])["messages"]).toEqual([
      { role: "user", content: [block("hi")] },
      { role: "assistant", content: [block("So:")] }
    ])
    expect(write([...hi, assistant(text(" \n"))])["messages"]).toEqual([
      { role: "user", content: [block("hi")] }
    ])
  })

  it("says a refusal as text, and leaves out pictures of other models' answers", () => {
    const turns = [
      ...hi,
      assistant(
        { type: "refusal", refusal: "no" },
        { type: "image", source: { type: "url", url: "https://a.test/b.png" } },
        { type: "opaque", dialect: "responses", raw: { type: "web_search_call" } }
      ),
      ...hi
    ]
    expect(write(turns)["messages"]).toMatchObject([
      {},
      { role: "assistant", content: [block("no")] },
      {}
    ])
  })

  it("rejects sound, films, files of other kinds and of other providers, and no message", () => {
    expect(getProblem([user({ type: "audio", source: base64("audio/wav") })])).toContain("audio")
    expect(getProblem([user({ type: "video", source: base64("video/mp4") })])).toContain("video")
    expect(getProblem([user({ type: "file", source: base64("application/zip") })])).toContain(
      "application/zip"
    )
    expect(
      getProblem([user({ type: "file", source: { type: "id", id: "file-1", dialect: "chat" } })])
    ).toContain("file-1")
    expect(getProblem([])).toContain("message")
  })

  it("takes URLs only where the provider does", () => {
    const turns = [user({ type: "image", source: { type: "url", url: "https://a.test/b.png" } })]
    expect(getProblem(turns)).toBe("none")
    expect(getProblem(turns, {}, { takesUrls: false })).toContain("base64")
  })

  it("writes texts, PDF and pictures that come as files", () => {
    expect(
      write([
        user(
          file("text/markdown", "aMOk"),
          file("application/pdf", "AAAA"),
          file("image/png", "AAAA")
        )
      ])["messages"]
    ).toEqual([
      {
        role: "user",
        content: [
          {
            type: "document",
            source: { type: "text", media_type: "text/plain", data: "hä" },
            title: "a"
          },
          {
            type: "document",
            source: { type: "base64", media_type: "application/pdf", data: "AAAA" },
            title: "a"
          },
          // An image has no title.
          { type: "text", text: "a" },
          { type: "image", source: { type: "base64", media_type: "image/png", data: "AAAA" } }
        ]
      }
    ])
  })
})

/** What is written beside the messages. */
const settings = (
  rest: Partial<Conversation>,
  options: Partial<MessagesWriteOptions> = {}
): unknown => {
  const { messages: _, ...written } = write(hi, rest, options)
  return written
}

describe("the settings of writeMessagesRequest", () => {
  it("always sends a cap: the caller's, else the most that the endpoint gives", () => {
    expect(settings({})).toEqual({ max_tokens: 64_000 })
    expect(settings({ maxOutputTokens: 5 }, { model: "claude-5" })).toEqual({
      model: "claude-5",
      max_tokens: 5
    })
  })

  it.each([
    [{ type: "auto" }, undefined, { type: "auto" }],
    [{ type: "required" }, false, { type: "any", disable_parallel_tool_use: true }],
    [{ type: "none" }, false, { type: "none" }],
    [{ type: "tool", name: "f" }, true, { type: "tool", name: "f" }],
    [
      { type: "tool", name: "f" },
      false,
      { type: "tool", name: "f", disable_parallel_tool_use: true }
    ],
    [undefined, false, { type: "auto", disable_parallel_tool_use: true }],
    [undefined, true, undefined],
    [{ type: "allowed", mode: "required", names: ["f"] }, undefined, { type: "any" }]
  ] as const)("writes the choice %j with parallel calls %j", (choice, parallel, expected) => {
    const tools = [
      { type: "function", name: "f" },
      { type: "function", name: "g", parameters: { properties: { a: {} } } }
    ] as const
    const written = write(hi, {
      tools,
      ...(choice === undefined ? undefined : { toolChoice: choice }),
      ...(parallel === undefined ? undefined : { parallelCalls: parallel })
    })
    expect(written["tool_choice"]).toEqual(expected)
    expect(written["tools"]).toEqual([
      { name: "f", input_schema: { type: "object" } },
      ...(choice?.type === "allowed"
        ? []
        : [{ name: "g", input_schema: { type: "object", properties: { a: {} } } }])
    ])
  })

  it("leaves out a choice without tools", () => {
    expect(settings({ toolChoice: { type: "auto" }, parallelCalls: false })).toEqual({
      max_tokens: 64_000
    })
  })

  it("gives a tool of free text one argument, and tools names that the API takes", () => {
    const written = write(
      [
        ...hi,
        assistant({ type: "call", id: "a", name: "sh", arguments: "ls", isCustom: true }),
        result("a")
      ],
      {
        tools: [
          { type: "custom", name: "sh", description: "runs", format: { type: "text" } },
          { type: "function", name: "get weather!" },
          { type: "function", name: "f", namespace: { name: "ns" } }
        ],
        toolChoice: { type: "tool", name: "get weather!" }
      }
    )
    expect(written).toMatchObject({
      tools: [
        {
          name: "sh",
          description: "runs",
          input_schema: { type: "object", properties: { input: { type: "string" } } }
        },
        { name: "get_weather_" },
        { name: "ns__f" }
      ],
      tool_choice: { type: "tool", name: "get_weather_" },
      messages: [{}, { content: [{ type: "tool_use", name: "sh", input: { input: "ls" } }] }, {}]
    })
  })

  it("rejects tools, choices and formats of other providers", () => {
    const raw = { type: "web_search" }
    expect(getProblem(hi, { tools: [{ type: "server", dialect: "responses", raw }] })).toContain(
      "web_search"
    )
    expect(getProblem(hi, { toolChoice: { type: "opaque", dialect: "responses", raw } })).not.toBe(
      "none"
    )
    expect(getProblem(hi, { format: { type: "opaque", dialect: "chat", raw } })).not.toBe("none")
  })

  it("refuses several answers", () => {
    expect(getProblem([user(text("hi"))], { answers: 2 })).toContain("one answer")
  })

  it("drops what the API has no word for", () => {
    expect(
      settings({
        sampling: { seed: 1, frequencyPenalty: 1, minP: 0.1, logitBias: { "1": 2 } },
        answers: 1,
        logprobs: { top: 3 },
        verbosity: "low",
        serviceTier: "flex",
        format: { type: "json" },
        extra: { dialect: "chat", fields: { modalities: ["text"] } }
      })
    ).toEqual({ max_tokens: 64_000 })
  })

  it("sends sampling within bounds, unless the model refuses it or thinks", () => {
    const sampling = { temperature: 1.7, topP: 0.5, topK: 3 }
    expect(settings({ sampling })).toEqual({
      max_tokens: 64_000,
      temperature: 1,
      top_p: 0.5,
      top_k: 3
    })
    expect(settings({ sampling }, { takesSampling: false })).toEqual({ max_tokens: 64_000 })
    expect(settings({ sampling, reasoning: { isEnabled: true } })).not.toHaveProperty("temperature")
  })

  it("sends one of temperature and top_p to models that take only one", () => {
    const takes = { takesTopPBesideTemperature: false }
    const sent = settings({ sampling: { temperature: 0.3, topP: 0.5 } }, takes)
    expect(sent).toEqual({ max_tokens: 64_000, temperature: 0.3 })
    expect(settings({ sampling: { topP: 0.5 } }, takes)).toEqual({ max_tokens: 64_000, top_p: 0.5 })
  })

  it("stops at texts that are not white space alone", () => {
    expect(settings({ stop: ["\n\nEND"] })).toHaveProperty("stop_sequences", ["\n\nEND"])
    assert.include(getProblem(hi, { stop: ["END", "\n"] }), "white space")
  })

  it("restricts schemas to what the API takes", () => {
    const schema = {
      type: "object",
      properties: {
        n: { type: "integer", minimum: 1, description: "how many" },
        list: {
          type: "array",
          minItems: 2,
          items: { anyOf: [{ type: "string", maxLength: 3 }, { $ref: "#/$defs/o" }] }
        },
        minimum: { type: "number" }
      },
      required: ["n"],
      $defs: { o: { type: ["object", "null"], properties: {}, additionalProperties: {} } }
    }
    expect(settings({ format: { type: "schema", name: "a", schema, strict: false } })).toEqual({
      max_tokens: 64_000,
      output_config: {
        format: {
          type: "json_schema",
          schema: {
            type: "object",
            properties: {
              n: { type: "integer", description: "how many\n\n{minimum: 1}" },
              list: {
                type: "array",
                items: {
                  anyOf: [{ type: "string", description: "{maxLength: 3}" }, { $ref: "#/$defs/o" }]
                },
                description: "{minItems: 2}"
              },
              minimum: { type: "number" }
            },
            required: ["n"],
            $defs: { o: { type: ["object", "null"], properties: {}, additionalProperties: false } },
            additionalProperties: false
          }
        }
      }
    })
  })

  const adaptive = { type: "adaptive", display: "summarized" }
  const older = { adaptive: false }
  const newer = { budget: false }

  it.each([
    ["nothing", undefined, {}, {}],
    ["an effort", { effort: "high" }, {}, { thinking: adaptive, effort: "high" }],
    ["the least effort", { effort: "minimal" }, {}, { thinking: adaptive, effort: "low" }],
    ["no effort", { effort: "none" }, {}, { thinking: { type: "disabled" } }],
    ["off", { isEnabled: false }, {}, { thinking: { type: "disabled" } }],
    ["off, where that is refused", { isEnabled: false }, { disabled: false }, { effort: "low" }],
    ["on", { isEnabled: true }, {}, { thinking: adaptive }],
    ["a budget", { maxTokens: 2_000 }, {}, { thinking: { type: "enabled", budget_tokens: 2_000 } }],
    [
      "too small a budget",
      { maxTokens: 5 },
      {},
      { thinking: { type: "enabled", budget_tokens: 1_024 } }
    ],
    [
      "a budget above the cap",
      { maxTokens: 99_999 },
      {},
      { thinking: { type: "enabled", budget_tokens: 9_999 } }
    ],
    [
      "a budget, where only efforts are known",
      { maxTokens: 5_000 },
      newer,
      { thinking: adaptive, effort: "medium" }
    ],
    [
      "a small budget, where only efforts are known",
      { maxTokens: 500 },
      newer,
      { thinking: adaptive, effort: "low" }
    ],
    [
      "an effort, where only budgets are known",
      { effort: "high" },
      older,
      { thinking: { type: "enabled", budget_tokens: 8_000 } }
    ],
    [
      "on, where only budgets are known",
      { isEnabled: true },
      older,
      { thinking: { type: "enabled", budget_tokens: 5_000 } }
    ],
    ["an effort, where nothing is known", { effort: "high" }, { ...older, ...newer }, {}],
    [
      "hidden",
      { effort: "low", isExcluded: true },
      {},
      { thinking: { type: "adaptive", display: "omitted" }, effort: "low" }
    ]
  ] as const)("writes reasoning: %s", (_, reasoning, thinking, expected) => {
    const written = write(
      hi,
      { maxOutputTokens: 10_000, ...(reasoning === undefined ? undefined : { reasoning }) },
      { thinking }
    )
    const { effort, thinking: form } = { effort: undefined, thinking: undefined, ...expected }
    expect(written["thinking"]).toEqual(form)
    expect(written["output_config"]).toEqual(effort === undefined ? undefined : { effort })
  })

  it("thinks without a budget where that has no room, or a tool must be called", () => {
    const reasoning = { effort: "high" }
    expect(
      write(hi, { reasoning, maxOutputTokens: 1_000 }, { thinking: older })["thinking"]
    ).toBeUndefined()
    const forced = { reasoning: { maxTokens: 2_000 }, toolChoice: { type: "required" } } as const
    expect(write(hi, forced, { thinking: older })["thinking"]).toBeUndefined()
    expect(write(hi, forced)["thinking"]).toEqual(adaptive)
  })

  it("keeps fields named like properties of every object", () => {
    const extra = JSON.parse(
      '{"dialect":"messages","fields":{"__proto__":{"a":1}}}'
    ) as NonNullable<Conversation["extra"]>
    expect(JSON.stringify(settings({ extra }))).toContain('"__proto__":{"a":1}')
  })
})
