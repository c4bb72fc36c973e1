/** Addresses of private hosts are refused wherever a provider would read them, in the body that it is sent. */
import { expect, test } from "vitest"
import { send } from "../support/send.ts"
import { keys, makeDecisionRequest, TestServer } from "../support/TestServer.ts"

const post = ({ root }: { readonly root: string }, path: string, body: object) =>
  send(`${root}${path}`, {
    body: JSON.stringify(body),
    headers: { authorization: `Bearer ${keys.member}`, "content-type": "application/json" }
  })

const model = "proof/model"
const inside = "http://127.0.0.1:9/x"

const chat = (content: ReadonlyArray<object>, more: object = {}) =>
  [
    "/api/v1/chat/completions",
    {
      model,
      messages: [{ role: "user", content: [{ type: "text", text: "hi" }, ...content] }],
      ...more
    }
  ] as const
const messages = (content: ReadonlyArray<object>, more: object = {}) =>
  [
    "/api/v1/messages",
    {
      model,
      max_tokens: 9,
      messages: [{ role: "user", content: [{ type: "text", text: "hi" }, ...content] }],
      ...more
    }
  ] as const
const responses = (input: ReadonlyArray<object>, more: object = {}) =>
  [
    "/api/v1/responses",
    { model, input: [{ role: "user", content: "hi" }, ...input], ...more }
  ] as const

const nested = {
  type: "document",
  source: { type: "content", content: [{ type: "image", source: { type: "url", url: inside } }] }
}
const screenshot = {
  type: "computer_call_output",
  call_id: "c",
  output: { type: "computer_screenshot", image_url: inside }
}

const cases: ReadonlyArray<readonly [string, readonly [string, object], string]> = [
  [
    "an image in a document",
    messages([nested]),
    "messages.0.content.1.source.content.0.source.url"
  ],
  [
    "a block of an unknown type",
    messages([{ type: "hologram", source: { type: "url", url: inside } }]),
    "messages.0.content.1.source.url"
  ],
  [
    "the result of a tool",
    messages([], {
      messages: [
        { role: "user", content: "hi" },
        { role: "assistant", content: [{ type: "tool_use", id: "t", name: "see", input: {} }] },
        {
          role: "user",
          content: [
            {
              type: "tool_result",
              tool_use_id: "t",
              content: [{ type: "image", source: { type: "url", url: "//10.0.0.1/x" } }]
            }
          ]
        }
      ]
    }),
    "messages.2.content.0.content.0.source.url"
  ],
  [
    "a tool server",
    messages([], { mcp_servers: [{ type: "url", name: "m", url: inside }] }),
    "mcp_servers.0.url"
  ],
  ["a screenshot", responses([screenshot]), "input.1.output.image_url"],
  [
    "a file by its path",
    responses([{ role: "user", content: [{ type: "input_file", file_url: "/etc/passwd" }] }]),
    "input.1.content.0.file_url"
  ],
  [
    "a file by its path in place of its content",
    responses([
      { role: "user", content: [{ type: "input_file", filename: "a", file_data: "/etc/passwd" }] }
    ]),
    "input.1.content.0.file_data"
  ],
  [
    "a tool server of the Responses API",
    responses([], {
      tools: [{ type: "mcp", server_label: "m", server_url: "https://metadata.google.internal/" }]
    }),
    "tools.0.server_url"
  ],
  [
    "a tool server of a chat",
    chat([], { tools: [{ type: "mcp", server_url: inside }] }),
    "tools.0.server_url"
  ],
  ["an image beside the messages", chat([], { image: inside }), "image"],
  [
    "images beside the messages",
    chat([], { images: ["https://example.com/a.png", inside] }),
    "images.1"
  ],
  [
    "a setting of images",
    chat([], { image_config: { style: { reference: inside } } }),
    "image_config.style.reference"
  ],
  [
    "a file without a scheme",
    chat([{ type: "file", file: { file_data: "//127.0.0.1/x" } }]),
    "messages.0.content.1.file.file_data"
  ],
  [
    "a file with a line break in its scheme",
    chat([{ type: "file", file: { file_data: "ht\ntp://127.0.0.1/" } }]),
    "messages.0.content.1.file.file_data"
  ],
  ["a parameter of a provider", chat([], { document_url: "http://[::1]/" }), "document_url"],
  [
    "a parameter of embeddings",
    ["/api/v1/embeddings", { model, input: "a", image: inside }],
    "image"
  ],
  [
    "a parameter of reranks",
    ["/api/v1/rerank", { model, query: "a", documents: ["b"], images: [inside] }],
    "images.0"
  ],
  [
    "an option of a video's provider",
    ["/api/v1/videos", { model, prompt: "a", provider: { options: { first: { mask: inside } } } }],
    "provider.options.first.mask"
  ],
  [
    "an option of a video's provider by any name",
    [
      "/api/v1/videos",
      { model, prompt: "a", provider: { options: { first: { tail: inside, style: "9:16" } } } }
    ],
    "provider.options.first.tail"
  ],
  [
    "a parameter of speech",
    ["/api/v1/audio/speech", { model, input: "a", reference_audio_url: inside }],
    "reference_audio_url"
  ],
  [
    "an option of a provider that speaks",
    [
      "/api/v1/audio/speech",
      { model, input: "a", provider: { options: { first: { voice_clone: { sample: inside } } } } }
    ],
    "provider.options.first.voice_clone.sample"
  ],
  [
    "the voice of a known speaker in a transcription",
    [
      "/api/v1/audio/transcriptions",
      {
        model,
        input_audio: { data: "UklGRg==", format: "wav" },
        known_speaker_references: ["data:audio/wav;base64,UklGRg==", inside]
      }
    ],
    "known_speaker_references.1"
  ],
  [
    "an option of a provider that transcribes",
    [
      "/api/v1/audio/transcriptions",
      {
        model,
        input_audio: { data: "UklGRg==", format: "wav" },
        provider: { options: { first: { callback_url: inside } } }
      }
    ],
    "provider.options.first.callback_url"
  ],
  [
    "a feed that the provider searches",
    chat([], { search_parameters: { sources: [{ type: "rss", links: [inside] }] } }),
    "search_parameters.sources.0.links.0"
  ],
  [
    "an image of a Decision",
    [
      "/api/alpha/decisions",
      makeDecisionRequest({
        state: [{ type: "image_url", image_url: { url: "http://2130706433/" } }]
      })
    ],
    "state.0.image_url.url"
  ]
]

test("an address of a private host is refused, with its path", async () => {
  await using server = await TestServer.start()
  for (const [what, [path, body], at] of cases) {
    const answer = await post(server, path, body)
    expect({ what, ...answer }).toMatchObject({ what, status: 400 })
    expect(`${what}: ${answer.text}`).toContain(`${at}: must`)
  }
  expect(server.upstreams.first.requests).toEqual([])
})
