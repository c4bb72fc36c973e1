/** What servers of the Responses API refuse. */
import { findValues } from "./Condition.ts"
import type { RefusesQuirk } from "./Quirk.ts"
import { isForeign, signatures } from "./signatures.ts"

const invalid = (message: string, param: string | null, code: string | null = null) => ({
  error: { message, type: "invalid_request_error", param, code }
})

const reasons = /^(?:gpt-5|o\d)/

export const responsesRefusals: ReadonlyArray<RefusesQuirk> = [
  {
    id: "openai.call-ids-of-64",
    kind: "refuses",
    providers: ["openai"],
    dialect: "responses",
    what: "`call_id` has at most 64 characters.",
    source: "https://github.com/decolua/9router/issues/393",
    handling: "A longer id goes as a short one made from it, the same in the call and its result.",
    when: { path: "input[].call_id", above: 64 },
    example: { input: [{ type: "function_call_output", call_id: "x".repeat(65), output: "" }] },
    status: 400,
    error: invalid(
      "Invalid 'input[1].call_id': string too long. Expected a string with maximum length 64, but got a string with length 72 instead.",
      "input[1].call_id",
      "string_above_max_length"
    ),
    asked: { after: "openai.long-call-ids", apis: ["chat", "messages"] }
  },
  {
    id: "openai.item-ids",
    kind: "refuses",
    providers: ["openai"],
    dialect: "responses",
    what: "The `id` of a message begins with `msg`, of a call with `fc`, and of reasoning with `rs`.",
    source: "https://github.com/BerriAI/litellm/issues/27333",
    handling: "Only reasoning goes with an id.",
    when: (body) =>
      findValues(body, "input[]").some((item) => {
        const [id] = findValues(item, "id")
        const [type = "message"] = findValues(item, "type")
        const start =
          type === "message"
            ? "msg"
            : type === "function_call"
              ? "fc"
              : type === "reasoning"
                ? "rs"
                : ""
        return typeof id === "string" && (!id.startsWith(start) || id.length > 64)
      }),
    example: { input: [{ type: "message", id: "chatcmpl-1", role: "assistant", content: [] }] },
    status: 400,
    error: invalid(
      "Invalid 'input[1].id': 'chatcmpl-1'. Expected an ID that begins with 'msg'.",
      "input[1].id",
      "invalid_value"
    ),
    asked: { after: "ollama.reasoning" }
  },
  {
    id: "openai.foreign-encrypted-content",
    kind: "refuses",
    providers: ["openai"],
    dialect: "responses",
    model: "gpt-5",
    what: "Reasoning of another provider's model, and reasoning without `encrypted_content`, is refused.",
    source: "https://github.com/Wei-Shaw/sub2api/issues/3138",
    handling: "The thinking of other families is left out, and the turn goes without it.",
    when: (body) =>
      findValues(body, "input[type=reasoning]").some((item) =>
        isForeign(findValues(item, "encrypted_content")[0], "openai")
      ),
    example: { input: [{ type: "reasoning", id: "rs_1", summary: [] }] },
    status: 400,
    error: invalid(
      "The encrypted content for item rs_1 could not be verified. Reason: Encrypted content could not be decrypted or parsed.",
      null,
      "invalid_encrypted_content"
    ),
    asked: { after: "anthropic.signed-thinking" }
  },
  {
    id: "openai.own-reasoning",
    kind: "refuses",
    providers: ["openai"],
    dialect: "responses",
    model: "gpt-5",
    what: "Where nothing is stored, its own reasoning must come back with its `encrypted_content`.",
    source: "https://github.com/openai/openai-agents-python/issues/2063",
    handling:
      "Every caller returns it in the words of its API, and the item is the same as before.",
    when: (body) =>
      findValues(body, "input[type=function_call].call_id").includes("call_sealed") &&
      findValues(body, "input[type=reasoning].encrypted_content")[0] !== signatures.openai,
    example: {
      input: [{ type: "function_call", call_id: "call_sealed", name: "look", arguments: "{}" }]
    },
    status: 400,
    error: invalid(
      "The encrypted content for item rs_1 could not be verified.",
      null,
      "invalid_encrypted_content"
    ),
    asked: { after: "openai.encrypted-reasoning" }
  },
  {
    id: "openai.at-least-16-tokens",
    kind: "refuses",
    providers: ["openai"],
    dialect: "responses",
    what: "`max_output_tokens` is at least 16.",
    source: "https://github.com/earendil-works/pi/issues/6265",
    handling: "A smaller cap of another API goes as 16.",
    when: { path: "max_output_tokens", below: 16 },
    example: { max_output_tokens: 10 },
    status: 400,
    error: invalid(
      "Invalid 'max_output_tokens': integer below minimum value. Expected a value >= 16, but got 10 instead.",
      "max_output_tokens",
      "integer_below_min_value"
    ),
    asked: { cap: 10, apis: ["chat", "messages"] }
  },
  {
    id: "openai.responses-known-efforts",
    kind: "refuses",
    providers: ["openai"],
    dialect: "responses",
    model: "gpt-5.1",
    models: /^gpt-5\.1/,
    what: "Which efforts a model knows differs: gpt-5.1 has no `minimal`, no `xhigh` and no `max`.",
    source: "https://github.com/anomalyco/opencode/issues/4451",
    handling: "Rounded to the nearest effort that the model knows.",
    when: { path: "reasoning.effort", fails: /^(?:none|low|medium|high)$/ },
    example: { reasoning: { effort: "minimal" } },
    status: 400,
    error: invalid(
      "Unsupported value: 'minimal' is not supported with the 'gpt-5.1' model. Supported values are: 'none', 'low', 'medium', and 'high'.",
      "reasoning.effort",
      "unsupported_value"
    ),
    asked: { effort: "minimal", apis: ["chat"] }
  },
  {
    id: "openai.responses-no-temperature",
    kind: "refuses",
    providers: ["openai"],
    dialect: "responses",
    model: "gpt-5.2",
    models: reasons,
    what: "Models that reason refuse `temperature`.",
    source: "https://github.com/OpenHands/software-agent-sdk/issues/1837",
    handling: "Left out.",
    when: { path: "temperature" },
    example: { temperature: 0.2 },
    status: 400,
    error: invalid(
      "Unsupported parameter: 'temperature' is not supported with this model.",
      "temperature"
    ),
    asked: { body: { chat: { temperature: 0.2 }, messages: { temperature: 0.2 } } }
  }
]
