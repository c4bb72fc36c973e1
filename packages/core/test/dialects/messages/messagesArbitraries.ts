/** Random requests of Anthropic's Messages API, with all that the API has. */
import * as Base64 from "effect/encoding/Base64"
import * as fc from "fast-check"
import { stopSequence } from "../arbitraries.ts"

type Json = Readonly<Record<string, unknown>>

const text = fc
  .string({ minLength: 1, maxLength: 20, unit: "grapheme" })
  .filter((said) => said.trimEnd() === said)
const name = fc.oneof(fc.stringMatching(/^[a-zA-Z0-9_-]{1,12}$/), fc.constant("__proto__"))
const base64 = fc.uint8Array({ minLength: 1, maxLength: 12 }).map((bytes) => Base64.encode(bytes))
const input = fc.dictionary(name, fc.jsonValue({ maxDepth: 2 }), { maxKeys: 3 })
const mark = fc.constantFrom({ type: "ephemeral" }, { type: "ephemeral", ttl: "1h" })

const withMark = <A extends object>(block: fc.Arbitrary<A>): fc.Arbitrary<Json> =>
  fc.tuple(block, fc.option(mark, { nil: undefined })).map(([each, cache_control]) => ({
    ...each,
    ...(cache_control === undefined ? undefined : { cache_control })
  }))

const textBlock = withMark(text.map((said) => ({ type: "text", text: said })))
const source = (mediaType: string) =>
  fc.oneof(
    base64.map((data) => ({ type: "base64", media_type: mediaType, data })),
    fc.webUrl().map((url) => ({ type: "url", url })),
    name.map((file_id) => ({ type: "file", file_id }))
  )
const imageBlock = withMark(source("image/webp").map((from) => ({ type: "image", source: from })))
const documentBlock = withMark(
  fc.record(
    {
      type: fc.constant("document"),
      source: fc.oneof(
        source("application/pdf"),
        text.map((data) => ({ type: "text", media_type: "text/plain", data })),
        fc.array(textBlock, { maxLength: 2 }).map((content) => ({ type: "content", content }))
      ),
      title: text,
      context: text,
      citations: fc.constant({ enabled: true })
    },
    { requiredKeys: ["type", "source"] }
  )
)
const searchResult = withMark(
  fc.record({
    type: fc.constant("search_result"),
    source: fc.webUrl(),
    title: text,
    content: fc.array(
      text.map((said) => ({ type: "text", text: said })),
      { minLength: 1 }
    )
  })
)
const userBlocks = fc.array(fc.oneof(textBlock, imageBlock, documentBlock, searchResult), {
  minLength: 1,
  maxLength: 3
})

const thinkingBlock = fc.oneof(
  fc
    .record({ thinking: fc.oneof(text, fc.constant("")), signature: name })
    .map((block) => ({ type: "thinking", ...block })),
  name.map((data) => ({ type: "redacted_thinking", data }))
)
const serverBlocks = name.map((id) => [
  { type: "server_tool_use", id, name: "web_search", input: {} },
  { type: "web_search_tool_result", tool_use_id: id, content: [] }
])
const callBlock = (id: string) =>
  withMark(
    fc.record(
      {
        type: fc.constant("tool_use"),
        id: fc.constant(id),
        name,
        input,
        caller: fc.constant({ type: "direct" })
      },
      { requiredKeys: ["type", "id", "name", "input"] }
    )
  )
const resultBlock = (id: string) =>
  withMark(
    fc.record(
      {
        type: fc.constant("tool_result"),
        tool_use_id: fc.constant(id),
        content: fc.oneof(
          fc.array(fc.oneof(textBlock, imageBlock, documentBlock, searchResult), {
            minLength: 1,
            maxLength: 2
          }),
          fc.constant([{ type: "tool_reference", tool_name: "t" }])
        ),
        is_error: fc.constant(true)
      },
      { requiredKeys: ["type", "tool_use_id"] }
    )
  )

/** What the assistant says, and the results of its calls, which precede what the user says next. */
const exchange = fc.uniqueArray(name, { maxLength: 3 }).chain((ids) =>
  fc.record({
    said: fc.array(fc.oneof(thinkingBlock, textBlock), { minLength: 1, maxLength: 3 }),
    ran: fc.option(serverBlocks, { nil: [] }),
    calls: fc.tuple(...ids.map(callBlock)),
    results: fc.tuple(...ids.map(resultBlock)),
    asked: userBlocks,
    told: fc.option(fc.array(textBlock, { minLength: 1, maxLength: 2 }), { nil: undefined })
  })
)

const messages = fc
  .record({ first: userBlocks, exchanges: fc.array(exchange, { maxLength: 3 }) })
  .map(({ exchanges, first }): ReadonlyArray<Json> => [
    { role: "user", content: first },
    ...exchanges.flatMap(({ asked, calls, ran, results, said, told }) => [
      { role: "assistant", content: [...said, ...ran, ...calls] },
      { role: "user", content: [...results, ...asked] },
      ...(told === undefined ? [] : [{ role: "system", content: told }])
    ])
  ])

const tool = fc.oneof(
  withMark(
    fc.record(
      {
        name,
        description: text,
        input_schema: fc.constant({ type: "object", properties: { a: { type: "string" } } }),
        strict: fc.boolean(),
        defer_loading: fc.boolean()
      },
      { requiredKeys: ["name", "input_schema"] }
    )
  ),
  fc.constant({ type: "web_search_20260101", name: "web_search", max_uses: 2 })
)

const parallel = fc.constantFrom({}, { disable_parallel_tool_use: true })
const toolChoice = fc.oneof(
  fc.tuple(fc.constantFrom("auto", "any"), parallel).map(([type, rest]) => ({ type, ...rest })),
  fc.constant({ type: "none" }),
  fc.tuple(name, parallel).map(([each, rest]) => ({ type: "tool", name: each, ...rest }))
)

const display = fc.constantFrom({ display: "omitted" }, { display: "summarized" })
const thinking = fc.oneof(
  fc.tuple(fc.integer({ min: 1_024, max: 9_999 }), display).map(([budget_tokens, shown]) => ({
    type: "enabled",
    budget_tokens,
    ...shown
  })),
  display.map((shown) => ({ type: "adaptive", ...shown })),
  fc.constant({ type: "disabled" }),
  fc.constant({ type: "between_tools" }),
  fc.constant({ type: "adaptive", display: "omitted", block_binding: "strict" })
)
const outputConfig = fc.record(
  {
    effort: fc.constantFrom("low", "medium", "high", "xhigh", "max"),
    format: fc.constant({
      type: "json_schema",
      schema: { type: "object", properties: {}, additionalProperties: false }
    }),
    task_budget: fc.constant({ type: "tokens", total: 20_000 })
  },
  { requiredKeys: [] }
)

const settings = fc.record(
  {
    system: fc.array(textBlock, { minLength: 1, maxLength: 3 }),
    thinking,
    output_config: outputConfig.filter((config) => Object.keys(config).length > 0),
    stop_sequences: fc.array(stopSequence, { minLength: 1, maxLength: 2 }),
    metadata: fc.record({ user_id: text }),
    service_tier: fc.constant("standard_only"),
    cache_control: mark,
    context_management: fc.constant({ edits: [{ type: "clear_thinking_20251015" }] }),
    container: name,
    unknown_field: fc.constant({ deep: [1, null] })
  },
  { requiredKeys: [] }
)
const sampling = fc.record(
  {
    temperature: fc.double({ min: 0, max: 1, noNaN: true }),
    top_p: fc.double({ min: 0, max: 1, noNaN: true }),
    top_k: fc.nat(500)
  },
  { requiredKeys: [] }
)

/** A budget is no thinking where a tool must be called, and thinking excludes sampling: the API refuses both. */
export const messagesRequest: fc.Arbitrary<Json> = fc
  .record({
    messages,
    max_tokens: fc.integer({ min: 10_000, max: 64_000 }),
    settings,
    sampling,
    tools: fc.uniqueArray(tool, {
      maxLength: 3,
      selector: (each) => ("name" in each ? each.name : "")
    }),
    choice: fc.option(toolChoice, { nil: undefined })
  })
  .map(({ choice, max_tokens, messages, sampling, settings, tools }) => {
    const thinks = settings.thinking !== undefined && settings.thinking.type !== "disabled"
    const isForced = choice?.type === "any" || choice?.type === "tool"
    const { thinking: wanted, ...rest } = settings
    return {
      ...rest,
      ...(wanted === undefined || (isForced && wanted.type === "enabled")
        ? undefined
        : { thinking: wanted }),
      ...(thinks ? undefined : sampling),
      messages,
      max_tokens,
      ...(tools.length === 0 ? undefined : { tools }),
      ...(tools.length === 0 || choice === undefined ? undefined : { tool_choice: choice })
    }
  })
