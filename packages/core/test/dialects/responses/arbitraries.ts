/** Random requests of the Responses API. */
import * as fc from "fast-check"

const text = fc.string({ minLength: 1, maxLength: 12, unit: "grapheme" })
const name = fc.oneof(fc.stringMatching(/^[a-z][a-zA-Z0-9_]{0,12}$/), fc.constant("__proto__"))
const optional = <A>(value: fc.Arbitrary<A>) => fc.option(value, { nil: undefined })

const part = fc.oneof(
  fc.record({ type: fc.constant("input_text"), text }),
  fc.record({
    type: fc.constant("input_text"),
    text,
    prompt_cache_breakpoint: fc.constant({ mode: "explicit" })
  }),
  fc.record({
    type: fc.constant("input_image"),
    image_url: fc.oneof(fc.webUrl(), fc.constant("data:image/png;base64,AAAA")),
    detail: fc.constantFrom("auto", "low", "high")
  }),
  fc.record({ type: fc.constant("input_image"), file_id: name }),
  fc.record({
    type: fc.constant("input_file"),
    filename: name,
    file_data: fc.constantFrom("data:application/pdf;base64,AAAA", "AAAA")
  }),
  fc.record({ type: fc.constant("input_file"), file_url: fc.webUrl() }),
  fc.record({
    type: fc.constant("input_audio"),
    input_audio: fc.constant({ data: "AAAA", format: "mp3" })
  }),
  fc.record({ type: fc.constant("input_video"), video_url: fc.webUrl() }),
  fc.record({ type: fc.constant("input_hologram"), depth: fc.integer() })
)

const message = fc.record(
  {
    type: fc.constant("message"),
    role: fc.constantFrom("user", "system", "developer"),
    content: fc.oneof(text, fc.array(part, { maxLength: 3 })),
    marker: text
  },
  { requiredKeys: ["role", "content"] }
)

const said = fc.record(
  {
    type: fc.constant("message"),
    role: fc.constant("assistant"),
    id: name,
    phase: fc.constantFrom("commentary", "final_answer"),
    content: fc.oneof(
      text,
      fc.array(
        fc.oneof(
          fc.record({ type: fc.constant("output_text"), text, annotations: fc.constant([]) }),
          fc.record({
            type: fc.constant("output_text"),
            text,
            annotations: fc.constant([{ type: "file_path", file_id: "f", index: 0 }])
          }),
          fc.record({ type: fc.constant("refusal"), refusal: text })
        ),
        { minLength: 1, maxLength: 3 }
      )
    )
  },
  { requiredKeys: ["role", "content"] }
)

const thought = fc.record(
  {
    type: fc.constant("reasoning"),
    id: fc.uuid().map((id) => `rs_${id}`),
    summary: fc.array(fc.record({ type: fc.constant("summary_text"), text }), { maxLength: 2 }),
    content: fc.array(fc.record({ type: fc.constant("reasoning_text"), text }), { maxLength: 2 }),
    encrypted_content: text
  },
  { requiredKeys: ["type", "id", "summary", "encrypted_content"] }
)

const hosted = fc.record({ type: fc.constant("web_search_call"), id: name, status: name })

/** Calls in a row, then their outputs in the same order. */
const calls = fc
  .uniqueArray(
    fc.record({
      id: fc.uuid(),
      name,
      given: text,
      isCustom: fc.boolean(),
      namespace: optional(name),
      output: fc.oneof(fc.string(), fc.array(part, { maxLength: 2 }))
    }),
    { selector: ({ id }) => id, minLength: 1, maxLength: 3 }
  )
  .map((each) => [
    ...each.map(({ given, id, isCustom, name, namespace }) => ({
      type: isCustom ? "custom_tool_call" : "function_call",
      call_id: id,
      name,
      [isCustom ? "input" : "arguments"]: given,
      ...(namespace === undefined ? undefined : { namespace })
    })),
    ...each.map(({ id, isCustom, output }) => ({
      type: isCustom ? "custom_tool_call_output" : "function_call_output",
      call_id: id,
      output
    }))
  ])

const items = fc
  .array(
    fc.oneof(
      message.map((item): ReadonlyArray<unknown> => [item]),
      said.map((item): ReadonlyArray<unknown> => [item]),
      thought.map((item): ReadonlyArray<unknown> => [item]),
      hosted.map((item): ReadonlyArray<unknown> => [item]),
      calls
    ),
    { maxLength: 6 }
  )
  .map((groups) => groups.flat())

const functionTool = fc.record(
  {
    type: fc.constant("function"),
    name,
    description: text,
    parameters: fc.constantFrom(null, { type: "object" }),
    strict: fc.constantFrom(null, true, false),
    defer_loading: fc.boolean()
  },
  { requiredKeys: ["type", "name"] }
)
const tool = fc.oneof(
  functionTool,
  fc.record(
    { type: fc.constant("custom"), name, description: text, format: fc.constant({ type: "text" }) },
    { requiredKeys: ["type", "name"] }
  ),
  fc.record({ type: fc.constantFrom("web_search", "openrouter:datetime"), size: fc.integer() })
)
const namespaces = fc.uniqueArray(
  fc.record({
    type: fc.constant("namespace"),
    name,
    description: text,
    tools: fc.array(functionTool, { minLength: 1, maxLength: 2 })
  }),
  { selector: (each) => each.name, maxLength: 2 }
)

const choice = fc.oneof(
  fc.constantFrom("auto", "none", "required"),
  fc.record({ type: fc.constantFrom("function", "custom"), name }),
  fc.record({
    type: fc.constant("allowed_tools"),
    mode: fc.constantFrom("auto", "required"),
    tools: fc.array(fc.record({ type: fc.constant("function"), name }), { maxLength: 2 })
  }),
  fc.record({ type: fc.constant("file_search") })
)

const parameters = fc.record(
  {
    instructions: text,
    tools: fc.tuple(fc.array(tool, { maxLength: 3 }), namespaces).map((each) => each.flat()),
    tool_choice: choice,
    parallel_tool_calls: fc.boolean(),
    max_output_tokens: fc.integer({ min: 16, max: 1_000_000 }),
    temperature: fc.double({ min: 0, max: 2, noNaN: true }),
    top_p: fc.double({ min: 0, max: 1, noNaN: true }),
    top_k: fc.integer({ min: 0, max: 9 }),
    frequency_penalty: fc.double({ min: -2, max: 2, noNaN: true }),
    text: fc.record(
      {
        format: fc.constantFrom(
          { type: "text" },
          { type: "json_object" },
          { type: "json_schema", name: "n", schema: { type: "object" }, strict: true },
          { type: "grammar", definition: "d" }
        ),
        verbosity: fc.constantFrom("low", "high"),
        novelty: text
      },
      { requiredKeys: [] }
    ),
    reasoning: fc.record(
      {
        effort: fc.constantFrom("none", "low", "xhigh"),
        summary: fc.constantFrom("auto", "detailed"),
        max_tokens: fc.integer({ min: 1, max: 9_999 }),
        enabled: fc.boolean(),
        context: fc.constant("all_turns")
      },
      { requiredKeys: ["effort"] }
    ),
    include: fc.subarray([
      "reasoning.encrypted_content",
      "message.output_text.logprobs",
      "web_search_call.results"
    ]),
    top_logprobs: fc.integer({ min: 1, max: 20 }),
    service_tier: fc.constantFrom("auto", "flex"),
    metadata: fc.dictionary(name, text, { maxKeys: 2 }),
    prompt_cache_key: text,
    truncation: fc.constantFrom("auto", "disabled"),
    store: fc.constant(false),
    cache_control: fc.constant({ type: "ephemeral" })
  },
  { requiredKeys: [] }
)

/** The body of a request whose calls all have outputs. */
export const responsesBody = fc
  .tuple(fc.oneof(text, items), parameters)
  .map(([input, rest]) => ({ ...rest, input }))
