/** The parameters and marks that servers of the Messages API refuse. */
import { findValues } from "./Condition.ts"
import { invalid, since47, before46 } from "./messagesRefusalParts.ts"
import type { RefusesQuirk } from "./Quirk.ts"

export const messagesParameterRefusals: ReadonlyArray<RefusesQuirk> = [
  {
    id: "anthropic.no-forced-tool-with-thinking",
    kind: "refuses",
    providers: ["anthropic"],
    dialect: "messages",
    what: "A model that thinks may not be forced to call a tool.",
    source: "https://github.com/can1357/oh-my-pi/issues/341",
    handling: "The call is forced, and the model does not think for this request.",
    model: "claude-opus-4-6",
    when: (body) =>
      ["enabled", "adaptive"].includes(String(findValues(body, "thinking.type")[0])) &&
      ["any", "tool"].includes(String(findValues(body, "tool_choice.type")[0])),
    example: { thinking: { type: "adaptive" }, tool_choice: { type: "any" } },
    status: 400,
    error: invalid("Thinking may not be enabled when tool_choice forces tool use."),
    asked: { tools: { look: {} }, forcesTool: true, effort: "high", apis: ["chat", "responses"] }
  },
  {
    id: "anthropic.no-temperature",
    kind: "refuses",
    providers: ["anthropic"],
    dialect: "messages",
    what: "Claude Opus 4.7 and later refuse `temperature`, `top_p` and `top_k`.",
    source: "https://github.com/HKUDS/nanobot/pull/3418",
    handling: "Left out.",
    model: "claude-opus-4-7",
    models: since47,
    when: (body) =>
      ["temperature", "top_p", "top_k"].some((name) => Object.hasOwn(Object(body), name)),
    example: { temperature: 0.2 },
    status: 400,
    error: invalid("`temperature` is deprecated for this model."),
    asked: { body: { chat: { temperature: 0.2 }, responses: { temperature: 0.2 } } }
  },
  {
    id: "anthropic.temperature-or-top-p",
    kind: "refuses",
    providers: ["anthropic"],
    dialect: "messages",
    what: "Since Claude 4.1 `temperature` and `top_p` may not stand together.",
    source: "https://github.com/SalesforceAIResearch/MCP-Universe/issues/49",
    handling: "`temperature` is sent alone.",
    models: /^claude-(?:opus-4-1|(?:opus|sonnet|haiku)-4-[5-9])/,
    when: { all: [{ path: "temperature" }, { path: "top_p" }] },
    example: { temperature: 0.2, top_p: 0.9 },
    status: 400,
    error: invalid(
      "`temperature` and `top_p` cannot both be specified for this model. Please use only one."
    ),
    asked: {
      body: { chat: { temperature: 0.2, top_p: 0.9 }, responses: { temperature: 0.2, top_p: 0.9 } }
    }
  },
  {
    id: "anthropic.no-union-schema",
    kind: "refuses",
    providers: ["anthropic"],
    dialect: "messages",
    what: "The schema of a tool may not have `oneOf`, `anyOf` or `allOf` at its top.",
    source: "https://github.com/MoonshotAI/kimi-code/issues/2328",
    handling: "It becomes an object with the properties of all branches.",
    when: (body) =>
      ["oneOf", "anyOf", "allOf"].some((name) =>
        findValues(body, `tools[].input_schema.${name}`).some(Boolean)
      ),
    example: { tools: [{ name: "look", input_schema: { type: "object", oneOf: [{}] } }] },
    status: 400,
    error: invalid(
      "tools.0.custom.input_schema: input_schema does not support oneOf, allOf, or anyOf at the top level"
    ),
    asked: {
      tools: {
        look: {
          type: "object",
          properties: { at: { type: "string" }, url: { type: "string" } },
          oneOf: [{ required: ["at"] }, { required: ["url"] }]
        }
      },
      apis: ["chat", "responses"]
    }
  },
  {
    id: "anthropic.four-cache-marks",
    kind: "refuses",
    providers: ["anthropic"],
    dialect: "messages",
    what: "At most four blocks may have `cache_control`.",
    source: "https://github.com/decolua/9router/issues/3795",
    handling: "The last four of a translated request are kept.",
    when: (body) => (JSON.stringify(body).match(/"cache_control":/g) ?? []).length > 4,
    example: {
      messages: [
        {
          role: "user",
          content: [
            { cache_control: { type: "ephemeral" }, type: "text", text: "Hi" },
            { cache_control: { type: "ephemeral" }, type: "text", text: "Hi" },
            { cache_control: { type: "ephemeral" }, type: "text", text: "Hi" },
            { cache_control: { type: "ephemeral" }, type: "text", text: "Hi" },
            { cache_control: { type: "ephemeral" }, type: "text", text: "Hi" }
          ]
        }
      ]
    },
    status: 400,
    error: invalid("A maximum of 4 blocks with cache_control may be provided. Found 5."),
    asked: {
      apis: ["chat"],
      messages: [1, 2, 3, 4, 5].map((at) => ({
        role: at % 2 === 1 ? "user" : "assistant",
        content: [{ type: "text", text: `Line ${at}`, cache_control: { type: "ephemeral" } }]
      }))
    }
  },
  {
    id: "anthropic.only-adaptive-thinking",
    kind: "refuses",
    providers: ["anthropic"],
    dialect: "messages",
    what: "Claude Opus 4.7 and later think adaptively, and refuse a budget.",
    source: "https://github.com/mako-ai/mako/pull/374",
    handling: "An effort or a budget goes as adaptive thinking with an effort.",
    model: "claude-opus-4-7",
    models: since47,
    when: { path: "thinking.type", equals: "enabled" },
    example: { thinking: { type: "enabled", budget_tokens: 2000 } },
    status: 400,
    error: invalid(
      '"thinking.type.enabled" is not supported for this model. Use "thinking.type.adaptive" and "output_config.effort" to control thinking behavior.'
    ),
    asked: {
      body: {
        chat: { reasoning: { max_tokens: 2_000 } },
        responses: { reasoning: { effort: "high" } }
      }
    }
  },
  {
    id: "anthropic.no-adaptive-thinking",
    kind: "refuses",
    providers: ["anthropic"],
    dialect: "messages",
    what: "Models before Claude 4.6 think with a budget, and refuse adaptive thinking.",
    source: "https://github.com/mozilla/bugbug/issues/5719",
    handling: "An effort goes as a budget.",
    models: before46,
    when: { path: "thinking.type", equals: "adaptive" },
    example: { thinking: { type: "adaptive" } },
    status: 400,
    error: invalid("adaptive thinking is not supported on this model"),
    asked: { effort: "high", apis: ["chat", "responses"] }
  }
]
