/** What happens to the fields of the messages, tools and plugins of a chat. */
import type { FieldRow } from "./FieldRow.ts"

export const chatContent: ReadonlyArray<FieldRow> = [
  {
    field: "plugins[]: auto-beta-router",
    at: "told",
    atOpenRouter: "passed",
    request: { plugins: [{ id: "auto-beta-router" }] }
  },
  {
    field: "plugins[]: auto-router",
    at: "told",
    atOpenRouter: "passed",
    request: { plugins: [{ id: "auto-router" }] }
  },
  {
    field: "plugins[]: context-compression",
    at: "told",
    atOpenRouter: "passed",
    request: { plugins: [{ id: "context-compression" }] },
    note: "done where the catalog states a context length: messages in the middle are left out until the prompt fits"
  },
  {
    field: "plugins[]: file-parser",
    at: "told",
    atOpenRouter: "passed",
    request: { plugins: [{ id: "file-parser" }] }
  },
  {
    field: "plugins[]: fusion",
    at: "told",
    atOpenRouter: "passed",
    request: { plugins: [{ id: "fusion" }] }
  },
  {
    field: "plugins[]: moderation",
    at: "told",
    atOpenRouter: "passed",
    request: { plugins: [{ id: "moderation" }] }
  },
  {
    field: "plugins[]: pareto-router",
    at: "told",
    atOpenRouter: "passed",
    request: { plugins: [{ id: "pareto-router" }] }
  },
  {
    field: "plugins[]: response-healing",
    at: "told",
    atOpenRouter: "passed",
    request: { plugins: [{ id: "response-healing" }] },
    note: "done for whole answers with a `response_format` of JSON: what is almost JSON is repaired"
  },
  {
    field: "plugins[]: switchyard-router",
    at: "told",
    atOpenRouter: "passed",
    request: { plugins: [{ id: "switchyard-router" }] }
  },
  {
    field: "plugins[]: web",
    at: "told",
    atOpenRouter: "passed",
    request: { plugins: [{ id: "web" }] }
  },
  {
    field: "plugins[]: web-fetch",
    at: "told",
    atOpenRouter: "passed",
    request: { plugins: [{ id: "web-fetch" }] }
  },
  {
    field: "plugins[].enabled: false",
    at: "done",
    atOpenRouter: "passed",
    request: { plugins: [{ id: "web", enabled: false }] },
    note: "asks for nothing"
  },
  {
    field: "plugins: unknown",
    at: "told",
    atOpenRouter: "passed",
    request: { plugins: [{ id: "unknown" }] }
  },
  {
    field: "tool_choice",
    at: "passed",
    request: {
      tools: [
        {
          type: "function",
          function: { name: "look", parameters: { type: "object", properties: {} } }
        }
      ],
      tool_choice: "auto"
    },
    without: {
      tools: [
        {
          type: "function",
          function: { name: "look", parameters: { type: "object", properties: {} } }
        }
      ]
    }
  },
  {
    field: "tool_choice: allowed_tools",
    at: "told passed passed passed",
    atOpenRouter: "passed",
    request: {
      tools: [
        {
          type: "function",
          function: { name: "look", parameters: { type: "object", properties: {} } }
        }
      ],
      tool_choice: {
        type: "allowed_tools",
        allowed_tools: { mode: "auto", tools: [{ type: "function", function: { name: "look" } }] }
      }
    },
    without: {
      tools: [
        {
          type: "function",
          function: { name: "look", parameters: { type: "object", properties: {} } }
        }
      ]
    }
  },
  {
    field: "tools",
    at: "passed",
    request: {
      tools: [
        {
          type: "function",
          function: { name: "look", parameters: { type: "object", properties: {} } }
        }
      ]
    }
  },
  {
    field: "tools[].cache_control",
    at: "passed passed told told",
    request: {
      tools: [
        {
          type: "function",
          function: { name: "look", parameters: { type: "object", properties: {} } },
          cache_control: { type: "ephemeral" }
        }
      ]
    },
    without: {
      tools: [
        {
          type: "function",
          function: { name: "look", parameters: { type: "object", properties: {} } }
        }
      ]
    }
  },
  {
    field: "tools[].function.strict",
    at: "passed passed told passed",
    request: {
      tools: [
        {
          type: "function",
          function: { name: "look", parameters: { type: "object", properties: {} }, strict: true }
        }
      ]
    },
    without: {
      tools: [
        {
          type: "function",
          function: { name: "look", parameters: { type: "object", properties: {} } }
        }
      ]
    }
  },
  {
    field: "tools[].unknown",
    at: "passed told told told",
    request: {
      tools: [
        {
          type: "function",
          function: { name: "look", parameters: { type: "object", properties: {} } },
          unknown: 1
        }
      ]
    },
    without: {
      tools: [
        {
          type: "function",
          function: { name: "look", parameters: { type: "object", properties: {} } }
        }
      ]
    }
  },
  {
    field: "tools[].function.unknown",
    at: "passed told told told",
    request: {
      tools: [
        {
          type: "function",
          function: { name: "look", parameters: { type: "object", properties: {} }, unknown: true }
        }
      ]
    },
    without: {
      tools: [
        {
          type: "function",
          function: { name: "look", parameters: { type: "object", properties: {} } }
        }
      ]
    }
  },
  {
    field: "tools[]: openrouter:web_search",
    at: "passed refused refused refused",
    request: { tools: [{ type: "openrouter:web_search" }] }
  },
  {
    field: "tools[]: openrouter:datetime",
    at: "passed refused refused refused",
    request: { tools: [{ type: "openrouter:datetime", parameters: { timezone: "UTC" } }] }
  },
  {
    field: "tools[]: custom",
    at: "passed",
    request: { tools: [{ type: "custom", custom: { name: "a", description: "d" } }] }
  },
  {
    field: "tools[].custom.format",
    at: "passed told told passed",
    request: {
      tools: [
        {
          type: "custom",
          custom: {
            name: "a",
            format: { type: "grammar", grammar: { syntax: "lark", definition: "x" } }
          }
        }
      ]
    },
    without: { tools: [{ type: "custom", custom: { name: "a" } }] }
  },
  {
    field: "messages[].unknown",
    at: "passed told told told",
    request: { messages: [{ role: "user", content: "Is it calm?", unknown: 1 }] }
  },
  {
    field: "messages[].name",
    at: "passed told told told",
    request: { messages: [{ role: "user", content: "Is it calm?", name: "Al" }] }
  },
  {
    field: "messages[].role: developer",
    at: "done",
    atOpenRouter: "passed",
    request: {
      messages: [
        { role: "developer", content: "Be brief" },
        { role: "user", content: "Is it calm?" }
      ]
    },
    without: {
      messages: [
        { role: "system", content: "Be brief" },
        { role: "user", content: "Is it calm?" }
      ]
    },
    note: "sent as `system` where a server has no other"
  },
  {
    field: "messages[].configuration_update",
    at: "passed told told told",
    request: {
      messages: [
        {
          role: "system",
          content: "Be brief",
          configuration_update: { reasoning: { effort: "low" } }
        },
        { role: "user", content: "Is it calm?" }
      ]
    },
    without: {
      messages: [
        { role: "system", content: "Be brief" },
        { role: "user", content: "Is it calm?" }
      ]
    }
  },
  {
    field: "messages[].weight",
    at: "passed told told told",
    request: {
      messages: [
        { role: "user", content: "Is it calm?" },
        { role: "assistant", content: "Yes", weight: 0 },
        { role: "user", content: "Is it calm?" }
      ]
    },
    without: {
      messages: [
        { role: "user", content: "Is it calm?" },
        { role: "assistant", content: "Yes" },
        { role: "user", content: "Is it calm?" }
      ]
    }
  },
  {
    field: "messages[].refusal",
    at: "passed",
    request: {
      messages: [
        { role: "user", content: "Is it calm?" },
        { role: "assistant", content: "Yes", refusal: "No" },
        { role: "user", content: "Is it calm?" }
      ]
    },
    without: {
      messages: [
        { role: "user", content: "Is it calm?" },
        { role: "assistant", content: "Yes" },
        { role: "user", content: "Is it calm?" }
      ]
    }
  },
  {
    field: "messages[].audio",
    at: "passed told told told",
    request: {
      messages: [
        { role: "user", content: "Is it calm?" },
        { role: "assistant", content: "Yes", audio: { id: "a" } },
        { role: "user", content: "Is it calm?" }
      ]
    },
    without: {
      messages: [
        { role: "user", content: "Is it calm?" },
        { role: "assistant", content: "Yes" },
        { role: "user", content: "Is it calm?" }
      ]
    }
  },
  {
    field: "messages[].images",
    at: "passed told told told",
    request: {
      messages: [
        { role: "user", content: "Is it calm?" },
        {
          role: "assistant",
          content: "Yes",
          images: [{ type: "image_url", image_url: { url: "data:image/png;base64,iVBORw0KGgo=" } }]
        },
        { role: "user", content: "Is it calm?" }
      ]
    },
    without: {
      messages: [
        { role: "user", content: "Is it calm?" },
        { role: "assistant", content: "Yes" },
        { role: "user", content: "Is it calm?" }
      ]
    }
  },
  {
    field: "messages[].model",
    at: "passed told told told",
    request: {
      messages: [
        { role: "user", content: "Is it calm?" },
        { role: "assistant", content: "Yes", model: "x" },
        { role: "user", content: "Is it calm?" }
      ]
    },
    without: {
      messages: [
        { role: "user", content: "Is it calm?" },
        { role: "assistant", content: "Yes" },
        { role: "user", content: "Is it calm?" }
      ]
    }
  },
  {
    field: "messages[].annotations",
    at: "passed told told told",
    request: {
      messages: [
        { role: "user", content: "Is it calm?" },
        {
          role: "assistant",
          content: "Yes",
          annotations: [
            {
              type: "url_citation",
              url_citation: { url: "https://a.example", title: "a", start_index: 0, end_index: 1 }
            }
          ]
        },
        { role: "user", content: "Is it calm?" }
      ]
    },
    without: {
      messages: [
        { role: "user", content: "Is it calm?" },
        { role: "assistant", content: "Yes" },
        { role: "user", content: "Is it calm?" }
      ]
    }
  },
  {
    field: "messages[].reasoning",
    at: "passed told told told",
    request: {
      messages: [
        { role: "user", content: "Is it calm?" },
        { role: "assistant", content: "Yes", reasoning: "hm" },
        { role: "user", content: "Is it calm?" }
      ]
    },
    without: {
      messages: [
        { role: "user", content: "Is it calm?" },
        { role: "assistant", content: "Yes" },
        { role: "user", content: "Is it calm?" }
      ]
    }
  },
  {
    field: "messages[].content[].cache_control",
    at: "passed passed told told",
    request: {
      messages: [
        {
          role: "user",
          content: [{ type: "text", text: "Is it calm?", cache_control: { type: "ephemeral" } }]
        }
      ]
    },
    without: { messages: [{ role: "user", content: [{ type: "text", text: "Is it calm?" }] }] }
  },
  {
    field: "messages[].content[].unknown",
    at: "passed told told told",
    request: {
      messages: [{ role: "user", content: [{ type: "text", text: "Is it calm?", unknown: 1 }] }]
    },
    without: { messages: [{ role: "user", content: [{ type: "text", text: "Is it calm?" }] }] }
  },
  {
    field: "messages[].content[].image_url",
    at: "passed",
    request: {
      messages: [
        {
          role: "user",
          content: [
            { type: "text", text: "Is it calm?" },
            { type: "image_url", image_url: { url: "data:image/png;base64,iVBORw0KGgo=" } }
          ]
        }
      ]
    },
    without: { messages: [{ role: "user", content: [{ type: "text", text: "Is it calm?" }] }] }
  },
  {
    field: "messages[].content[].image_url.detail",
    at: "passed told told passed",
    request: {
      messages: [
        {
          role: "user",
          content: [
            { type: "text", text: "Is it calm?" },
            {
              type: "image_url",
              image_url: { detail: "low", url: "data:image/png;base64,iVBORw0KGgo=" }
            }
          ]
        }
      ]
    },
    without: {
      messages: [
        {
          role: "user",
          content: [
            { type: "text", text: "Is it calm?" },
            { type: "image_url", image_url: { url: "data:image/png;base64,iVBORw0KGgo=" } }
          ]
        }
      ]
    }
  },
  {
    field: "messages[].content[].unknown: of an image",
    at: "passed told told told",
    request: {
      messages: [
        {
          role: "user",
          content: [
            { type: "text", text: "Is it calm?" },
            {
              type: "image_url",
              unknown: 1,
              image_url: { url: "data:image/png;base64,iVBORw0KGgo=" }
            }
          ]
        }
      ]
    },
    without: {
      messages: [
        {
          role: "user",
          content: [
            { type: "text", text: "Is it calm?" },
            { type: "image_url", image_url: { url: "data:image/png;base64,iVBORw0KGgo=" } }
          ]
        }
      ]
    }
  },
  {
    field: "messages[].content[].file",
    at: "passed",
    request: {
      messages: [
        {
          role: "user",
          content: [
            { type: "text", text: "Is it calm?" },
            {
              type: "file",
              file: { filename: "a.pdf", file_data: "data:application/pdf;base64,JVBERi0=" }
            }
          ]
        }
      ]
    },
    without: { messages: [{ role: "user", content: [{ type: "text", text: "Is it calm?" }] }] }
  },
  {
    field: "messages[].content[].input_audio",
    at: "passed refused passed passed",
    request: {
      messages: [
        {
          role: "user",
          content: [
            { type: "text", text: "Is it calm?" },
            { type: "input_audio", input_audio: { data: "AAAA", format: "wav" } }
          ]
        }
      ]
    },
    without: { messages: [{ role: "user", content: [{ type: "text", text: "Is it calm?" }] }] }
  },
  {
    field: "messages[].content[].video_url",
    at: "passed refused passed refused",
    request: {
      messages: [
        {
          role: "user",
          content: [
            { type: "text", text: "Is it calm?" },
            { type: "video_url", video_url: { url: "https://a.example/a.mp4" } }
          ]
        }
      ]
    },
    without: { messages: [{ role: "user", content: [{ type: "text", text: "Is it calm?" }] }] }
  },
  {
    field: "messages[].content[]: unknown type",
    at: "passed told told told",
    request: {
      messages: [
        {
          role: "user",
          content: [
            { type: "text", text: "Is it calm?" },
            { type: "hologram", hologram: 1 }
          ]
        }
      ]
    },
    without: { messages: [{ role: "user", content: [{ type: "text", text: "Is it calm?" }] }] }
  }
]
