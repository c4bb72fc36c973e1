/** The parameters that servers of the chat dialect refuse. */
import { invalid, forbidden } from "./chatRefusalParts.ts"
import type { RefusesQuirk } from "./Quirk.ts"

export const chatParameterRefusals: ReadonlyArray<RefusesQuirk> = [
  {
    id: "deepseek.no-json-schema",
    kind: "refuses",
    providers: ["deepseek"],
    dialect: "chat",
    what: "`response_format` may be `json_object`, but not `json_schema`.",
    source: "https://github.com/UKGovernmentBEIS/inspect_ai/issues/4916",
    handling: "With `parameterLists.deepseek` the schema is left out.",
    when: { path: "response_format.type", equals: "json_schema" },
    example: { response_format: { type: "json_schema" } },
    status: 400,
    error: invalid("This response_format type is unavailable now", "invalid_request_error"),
    asked: {
      body: {
        chat: {
          response_format: {
            type: "json_schema",
            json_schema: { name: "a", schema: { type: "object", properties: {} } }
          }
        }
      }
    }
  },
  {
    id: "lmstudio.no-json-object",
    kind: "refuses",
    providers: ["lmstudio"],
    dialect: "chat",
    what: "`response_format` may be `json_schema` or `text`, but not `json_object`.",
    source: "https://github.com/lmstudio-ai/lmstudio-bug-tracker/issues/189",
    handling: "Sent as the schema of any object.",
    when: { path: "response_format.type", equals: "json_object" },
    example: { response_format: { type: "json_object" } },
    status: 400,
    error: { error: "'response_format.type' must be 'json_schema' or 'text'" },
    asked: {
      body: {
        chat: { response_format: { type: "json_object" } },
        responses: { text: { format: { type: "json_object" } } }
      }
    }
  },
  {
    id: "moonshot.no-temperature",
    kind: "refuses",
    providers: ["moonshot"],
    dialect: "chat",
    what: "Kimi K2.5 and later refuse `temperature` and `top_p` other than their own.",
    source: "https://github.com/HKUDS/nanobot/pull/4967",
    handling: "Left out.",
    when: (body) =>
      (body as { readonly temperature?: unknown }).temperature !== undefined ||
      (body as { readonly top_p?: unknown }).top_p !== undefined,
    example: { temperature: 0.2 },
    status: 400,
    error: invalid("invalid temperature: only 1 is allowed for this model"),
    asked: {
      body: {
        chat: { temperature: 0.2, top_p: 0.9 },
        messages: { temperature: 0.2 },
        responses: { temperature: 0.2 }
      }
    }
  },
  {
    id: "azure.four-stops",
    kind: "refuses",
    providers: ["azure"],
    dialect: "chat",
    what: "`stop` has at most four texts, as at OpenAI itself.",
    source: "https://platform.openai.com/docs/api-reference/chat/create#chat-create-stop",
    handling: "The first four are sent.",
    when: { path: "stop", above: 4 },
    example: { stop: ["a", "b", "c", "d", "e"] },
    status: 400,
    error: invalid(
      "Invalid 'stop': array too long. Expected an array with maximum length 4.",
      "array_above_max_length",
      "stop"
    ),
    asked: {
      body: {
        chat: { stop: ["1.", "2.", "3.", "4.", "5."] },
        messages: { stop_sequences: ["1.", "2.", "3.", "4.", "5."] }
      }
    }
  },
  {
    id: "moonshot.thinking-and-effort",
    kind: "refuses",
    providers: ["moonshot"],
    dialect: "chat",
    what: "`thinking` and `reasoning_effort` may not stand together.",
    source: "https://github.com/HKUDS/nanobot/issues/3939",
    handling: "One of them is sent.",
    when: { all: [{ path: "thinking" }, { path: "reasoning_effort" }] },
    example: { thinking: { type: "enabled" }, reasoning_effort: "high" },
    status: 400,
    error: invalid("cannot specify both 'thinking' and 'reasoning_effort'"),
    asked: { effort: "high" }
  },
  {
    id: "mistral.no-max-completion-tokens",
    kind: "refuses",
    providers: ["mistral"],
    dialect: "chat",
    what: "`max_completion_tokens` is unknown.",
    source: "https://github.com/editor-code-assistant/eca/issues/231",
    handling: "Sent as `max_tokens`, with `parameterLists.mistral`.",
    when: { path: "max_completion_tokens" },
    example: { max_completion_tokens: 9 },
    status: 422,
    error: forbidden("max_completion_tokens"),
    asked: { cap: 300, body: { chat: { max_completion_tokens: 300 }, messages: {}, responses: {} } }
  },
  {
    id: "mistral.no-stream-options",
    kind: "refuses",
    providers: ["mistral"],
    dialect: "chat",
    what: "`stream_options` is unknown; a stream has its usage unasked.",
    source: "https://github.com/dnakov/anon-kode/issues/53",
    handling: "Not sent.",
    when: { path: "stream_options" },
    example: { stream_options: { include_usage: true } },
    status: 422,
    error: forbidden("stream_options", "include_usage"),
    asked: {}
  },
  {
    id: "groq.no-reasoning-parameter",
    kind: "refuses",
    providers: ["groq"],
    dialect: "chat",
    what: "The parameter `reasoning` is unknown.",
    source: "https://github.com/musistudio/llms/pull/64",
    handling:
      "Left out with `parameterLists.groq`; an effort goes as `reasoning_effort` where the list has it.",
    when: { path: "reasoning" },
    example: { reasoning: { effort: "low" } },
    status: 400,
    error: invalid("property 'reasoning' is unsupported"),
    asked: { effort: "low" }
  },
  {
    id: "groq.no-store",
    kind: "refuses",
    providers: ["groq"],
    dialect: "chat",
    what: "Parameters that it does not know are refused, such as `store`.",
    source: "https://github.com/fanenr/chatbot/issues/21",
    handling: "Left out with `parameterLists.groq`.",
    when: { path: "store" },
    example: { store: false },
    status: 400,
    error: invalid("property 'store' is unsupported, did you mean 'stop'?"),
    asked: { body: { chat: { store: false }, responses: { store: false } } }
  },
  {
    id: "cerebras.no-reasoning-parameter",
    kind: "refuses",
    providers: ["cerebras"],
    dialect: "chat",
    what: "The parameters `reasoning` and `thinking` are unknown.",
    source: "https://github.com/proxysoul/Empryo/pull/209",
    handling: "Left out with `parameterLists.cerebras`.",
    when: (body) =>
      ["reasoning", "thinking", "enable_thinking"].some((name) =>
        Object.hasOwn(Object(body), name)
      ),
    example: { reasoning: { effort: "low" } },
    status: 400,
    error: {
      message: "body.reasoning: property 'body.reasoning' is unsupported",
      type: "invalid_request_error",
      param: "validation_error",
      code: "wrong_api_format"
    },
    asked: { effort: "low" }
  },
  {
    id: "xai.no-penalties",
    kind: "refuses",
    providers: ["xai"],
    dialect: "chat",
    what: "Models that reason refuse `presence_penalty`, `frequency_penalty` and `stop`, also with the value 0.",
    source: "https://github.com/miaoxworld/NativeTavern/issues/83",
    handling: "Left out with `parameterLists.xai`.",
    when: (body) =>
      ["presence_penalty", "frequency_penalty", "stop"].some((name) =>
        Object.hasOwn(Object(body), name)
      ),
    example: { presence_penalty: 0 },
    status: 400,
    error: {
      code: "Client specified an invalid argument",
      error: "Model grok-4-fast-reasoning does not support parameter presencePenalty."
    },
    asked: {
      body: { chat: { presence_penalty: 0, stop: ["END"] }, messages: { stop_sequences: ["END"] } }
    }
  },
  {
    id: "xai.no-reasoning-effort",
    kind: "refuses",
    providers: ["xai"],
    dialect: "chat",
    what: "Most models, grok-4 among them, refuse `reasoning_effort`, although they reason.",
    source: "https://github.com/BerriAI/litellm/pull/16265",
    handling: "Left out with `parameterLists.xai`.",
    model: "grok-4",
    models: /^grok-4(?!\.3)/,
    when: { path: "reasoning_effort" },
    example: { reasoning_effort: "high" },
    status: 400,
    error: {
      code: "Client specified an invalid argument",
      error: "Model grok-4 does not support parameter reasoningEffort."
    },
    asked: { effort: "high", body: { chat: { reasoning_effort: "high" } } }
  },
  {
    id: "openai.no-max-tokens",
    kind: "refuses",
    providers: ["openai", "azure"],
    dialect: "chat",
    what: "Models that reason refuse `max_tokens`.",
    source: "https://github.com/griptape-ai/ComfyUI-Griptape/issues/312",
    handling: "Sent as `max_completion_tokens` with `parameterLists.openaiReasoning`.",
    model: "gpt-5-mini",
    models: /^(?:gpt-5|o\d)/,
    when: { path: "max_tokens" },
    example: { max_tokens: 9 },
    status: 400,
    error: invalid(
      "Unsupported parameter: 'max_tokens' is not supported with this model. Use 'max_completion_tokens' instead.",
      "unsupported_parameter",
      "max_tokens"
    ),
    asked: { cap: 300 }
  },
  {
    id: "openai.no-temperature",
    kind: "refuses",
    providers: ["openai", "azure"],
    dialect: "chat",
    what: "Models that reason refuse a `temperature` other than 1.",
    source: "https://github.com/paperless-ngx/paperless-ngx/issues/12822",
    handling: "Left out with `parameterLists.openaiReasoning`.",
    model: "gpt-5-mini",
    models: /^(?:gpt-5|o\d)/,
    when: { path: "temperature", below: 1 },
    example: { temperature: 0.1 },
    status: 400,
    error: invalid(
      "Unsupported value: 'temperature' does not support 0.1 with this model. Only the default (1) value is supported.",
      "unsupported_value",
      "temperature"
    ),
    asked: {
      body: {
        chat: { temperature: 0.1 },
        messages: { temperature: 0.1 },
        responses: { temperature: 0.1 }
      }
    }
  },
  {
    id: "openai.no-stop",
    kind: "refuses",
    providers: ["openai", "azure"],
    dialect: "chat",
    what: "Models that reason refuse `stop`.",
    source: "https://github.com/griptape-ai/griptape/issues/1915",
    handling: "Left out with `parameterLists.openaiReasoning`.",
    model: "gpt-5-mini",
    models: /^(?:gpt-5|o\d)/,
    when: { path: "stop" },
    example: { stop: ["END"] },
    status: 400,
    error: invalid(
      "Unsupported parameter: 'stop' is not supported with this model.",
      "unsupported_parameter",
      "stop"
    ),
    asked: { body: { chat: { stop: ["END"] }, messages: { stop_sequences: ["END"] } } }
  },
  {
    id: "moonshot.no-effort-none",
    kind: "refuses",
    providers: ["moonshot"],
    dialect: "chat",
    what: "`reasoning_effort` may not be `none`.",
    source: "https://github.com/Kilo-Org/cloud/pull/3807",
    handling: 'Not to think goes as `thinking: { type: "disabled" }`.',
    when: { path: "reasoning_effort", equals: "none" },
    example: { reasoning_effort: "none" },
    status: 400,
    error: invalid(
      "Unsupported value: 'reasoning_effort' does not support 'none' with this model. Supported values are: 'minimal', 'low', 'medium', and 'high'."
    ),
    asked: { effort: "none", apis: ["chat", "responses"] }
  },
  {
    id: "openai.known-efforts",
    kind: "refuses",
    providers: ["openai", "azure"],
    dialect: "chat",
    what: "Which efforts a model knows differs: gpt-5.1 has no `minimal`, no `xhigh` and no `max`.",
    source: "https://github.com/anomalyco/opencode/issues/4451",
    handling: "Rounded to the nearest effort that the model knows.",
    model: "gpt-5.1",
    models: /^gpt-5\.1/,
    when: { path: "reasoning_effort", fails: /^(?:none|low|medium|high)$/ },
    example: { reasoning_effort: "minimal" },
    status: 400,
    error: invalid(
      "Unsupported value: 'minimal' is not supported with the 'gpt-5.1' model. Supported values are: 'none', 'low', 'medium', and 'high'.",
      "unsupported_value",
      "reasoning_effort"
    ),
    asked: { effort: "xhigh" }
  }
]
