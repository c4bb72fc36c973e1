/** What servers of the chat dialect refuse of tools, and of the choice among them. */
import { findValues } from "./Condition.ts"
import { invalid, forcesToolWhileThinking } from "./chatRefusalParts.ts"
import type { RefusesQuirk } from "./Quirk.ts"

export const chatToolRefusals: ReadonlyArray<RefusesQuirk> = [
  {
    id: "deepseek.no-forced-tool",
    kind: "refuses",
    providers: ["deepseek"],
    dialect: "chat",
    what: "A model that thinks, as it does by default, may not be forced to call a tool.",
    source: "https://github.com/deepseek-ai/DeepSeek-V3/issues/1376",
    handling: "The call is forced, and the model does not think for this request.",
    when: forcesToolWhileThinking,
    example: { tool_choice: "required" },
    status: 400,
    error: invalid("Thinking mode does not support this tool_choice", "invalid_request_error"),
    asked: { tools: { look: {} }, forcesTool: true }
  },
  {
    id: "moonshot.no-forced-tool",
    kind: "refuses",
    providers: ["moonshot"],
    dialect: "chat",
    what: "A model that thinks may not be forced to call a tool.",
    source: "https://github.com/can1357/oh-my-pi/pull/1078",
    handling: "The call is forced, and the model does not think for this request.",
    when: forcesToolWhileThinking,
    example: { tool_choice: { type: "function", function: { name: "look" } } },
    status: 400,
    error: invalid("tool_choice 'required' is incompatible with thinking enabled"),
    asked: { tools: { look: {} }, forcesTool: true }
  },
  {
    id: "lmstudio.no-named-tool",
    kind: "refuses",
    providers: ["lmstudio"],
    dialect: "chat",
    what: "`tool_choice` may be `none`, `auto` or `required`, but not name a tool.",
    source: "https://github.com/lmstudio-ai/lmstudio-bug-tracker/issues/670",
    handling: "That tool is offered alone, and a call is required.",
    when: { path: "tool_choice.type" },
    example: { tool_choice: { type: "function", function: { name: "look" } } },
    status: 400,
    error: {
      error: "Invalid tool_choice type: 'object'. Supported string values: none, auto, required"
    },
    asked: {
      tools: { look: {} },
      body: {
        chat: { tool_choice: { type: "function", function: { name: "look" } } },
        messages: { tool_choice: { type: "tool", name: "look" } },
        responses: { tool_choice: { type: "function", name: "look" } }
      }
    }
  },
  {
    id: "moonshot.no-type-beside-branches",
    kind: "refuses",
    providers: ["moonshot"],
    dialect: "chat",
    what: "In the schema of a tool, `type` may not stand beside `anyOf` or `oneOf`.",
    source: "https://github.com/MoonshotAI/kimi-cli/issues/2531",
    handling: "The branches get the type; at the top, an object has the properties of all of them.",
    when: (body) =>
      /"type":"object","(?:any|one)Of"/.test(JSON.stringify(findValues(body, "tools[]"))),
    example: {
      tools: [
        {
          type: "function",
          function: { name: "look", parameters: { type: "object", anyOf: [{ required: ["at"] }] } }
        }
      ]
    },
    status: 400,
    error: invalid(
      "tools.function.parameters is not a valid moonshot flavored json schema, details: <At path 'root': when using anyOf, type should be defined in anyOf items instead of the parent schema>",
      "invalid_request_error"
    ),
    asked: {
      tools: {
        look: {
          type: "object",
          anyOf: [{ properties: { at: { type: "string" } } }],
          properties: { from: { type: "object", oneOf: [{ properties: {} }] } }
        }
      }
    }
  },
  {
    id: "vllm.no-allowed-tools",
    kind: "refuses",
    providers: ["vllm"],
    dialect: "chat",
    what: "`tool_choice` may be `none`, `auto`, `required` or name a tool, but not be `allowed_tools`.",
    source: "https://docs.vllm.ai/en/latest/features/tool_calling.html",
    handling: "Only those tools are offered.",
    when: { path: "tool_choice.type", equals: "allowed_tools" },
    example: { tool_choice: { type: "allowed_tools", allowed_tools: { mode: "auto", tools: [] } } },
    status: 400,
    error: invalid("Input should be 'none', 'auto' or 'required'"),
    asked: {
      tools: { look: {}, listen: {} },
      body: {
        chat: {
          tool_choice: {
            type: "allowed_tools",
            allowed_tools: {
              mode: "auto",
              tools: [{ type: "function", function: { name: "look" } }]
            }
          }
        },
        responses: {
          tool_choice: {
            type: "allowed_tools",
            mode: "auto",
            tools: [{ type: "function", name: "look" }]
          }
        }
      }
    }
  },
  {
    id: "openai.tool-names",
    kind: "refuses",
    providers: ["openai", "azure", "groq"],
    dialect: "chat",
    what: "The name of a tool has letters, digits, `_` and `-` only.",
    source: "https://github.com/brekkylab/ailoy/pull/109",
    handling: "Sent as it is; the caller gets the refusal.",
    when: { path: "tools[].function.name", fails: /^[a-zA-Z0-9_-]{1,64}$/ },
    example: { tools: [{ type: "function", function: { name: "files.read" } }] },
    status: 400,
    error: invalid(
      "Invalid 'tools[0].function.name': string does not match pattern. Expected a string that matches the pattern '^[a-zA-Z0-9_-]+$'.",
      "invalid_value",
      "tools[0].function.name"
    ),
    outcome: "passedOn",
    asked: { tools: { "files.read": {} }, apis: ["chat"] }
  },
  {
    id: "llamacpp.needs-parameters",
    kind: "refuses",
    providers: ["llamacpp"],
    dialect: "chat",
    what: "A tool must have `parameters`, which are optional elsewhere.",
    source: "https://github.com/ggml-org/llama.cpp/issues/17667",
    handling: "A tool without parameters goes with an object schema that has no properties.",
    when: (body) =>
      (
        (body as { readonly tools?: ReadonlyArray<{ readonly function?: object }> }).tools ?? []
      ).some((tool) => tool.function !== undefined && !Object.hasOwn(tool.function, "parameters")),
    example: { tools: [{ type: "function", function: { name: "now" } }] },
    status: 400,
    error: {
      error: { code: 400, message: "Missing tool parameters", type: "invalid_request_error" }
    },
    asked: {
      body: {
        chat: { tools: [{ type: "function", function: { name: "now" } }] },
        messages: { tools: [{ name: "now", input_schema: { type: "object" } }] },
        responses: { tools: [{ type: "function", name: "now", parameters: null, strict: null }] }
      }
    }
  }
]
