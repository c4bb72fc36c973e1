import { assert, describe, it } from "vitest"
import { findMediaProblem } from "../../../src/engine/outbound/findMediaProblem.ts"

/** Every format in which a provider accepts a URL, with its path. */
const forms = (
  url: string
): ReadonlyArray<readonly [path: string, part: Readonly<Record<string, unknown>>]> => [
  ["image_url.url", { type: "image_url", image_url: { url, detail: "low" } }],
  ["image_url", { type: "image_url", image_url: url }],
  ["image_url", { type: "input_image", image_url: url }],
  ["image_url.url", { image_url: { url } }],
  ["input_audio.url", { type: "input_audio", input_audio: { url } }],
  ["input_audio.data", { type: "input_audio", input_audio: { data: url, format: "wav" } }],
  ["audio_url.url", { type: "audio_url", audio_url: { url } }],
  ["video_url.url", { type: "video_url", video_url: { url } }],
  ["video_url", { type: "input_video", video_url: url }],
  ["file.file_data", { type: "file", file: { filename: "a.pdf", file_data: url } }],
  ["file.file_url", { type: "file", file: { file_url: url } }],
  ["file.url", { type: "file", file: { url } }],
  ["file_url", { type: "input_file", file_url: url }],
  ["file_data", { type: "input_file", file_data: url }],
  ["source.url", { type: "image", source: { type: "url", url } }],
  ["url", { type: "image", url }],
  ["url", { type: "video_url", url }],
  ["image_url.0", { type: "image_url", image_url: [url] }],
  ["image_url.0.url", { type: "image_url", image_url: [{ url }] }],
  ["file.0.file_data", { type: "file", file: [{ file_data: url }] }]
]

const refused = [
  "http://169.254.169.254/latest/meta-data/",
  "http://127.0.0.1:8080/",
  "http://localhost/",
  "https://10.1.2.3/x.png",
  "https://192.168.0.1/",
  "http://[::1]/",
  "http://[::ffff:169.254.169.254]/",
  "http://0x7f000001/",
  "http://2130706433/",
  "https://metadata.google.internal/",
  "file:///etc/passwd",
  "FILE:///etc/passwd",
  " http://127.0.0.1/",
  "\thttp://127.0.0.1/",
  "ftp://example.com/a",
  "https://user:pass@example.com/",
  "//127.0.0.1/x",
  "//localhost/",
  "/etc/passwd",
  "/etc/ssl",
  "ht\ntp://127.0.0.1/",
  "https://example.com\\@127.0.0.1/",
  "\\\\127.0.0.1\\share",
  "http://0177.0.0.1/",
  "http://127.1/",
  "http://[fd00::1]/",
  "file:/etc/passwd"
]

const allowed = [
  "https://example.com/a.png",
  "http://example.com/a.png",
  "data:image/png;base64,iVBORw0KGgo="
]

const isRefused = (value: unknown, allowPrivateNetworks = false) =>
  findMediaProblem(value, { allowPrivateNetworks })

describe("the URLs of media", () => {
  it.each(refused)("rejects %j in every format, and names its path", (url) => {
    for (const [path, part] of forms(url)) {
      const found = isRefused([{ role: "user", content: [{ type: "text", text: "a" }, part] }])
      assert.strictEqual(found?.path.join("."), `0.content.1.${path}`)
    }
  })

  it("rejects a URL of megabytes by its length alone", () => {
    const found = isRefused([{ image_url: { url: `http://${"a.".repeat(5000)}com/` } }])
    assert.strictEqual(found?.problem, "must have at most 8192 characters")
    const data = `data:image/png;base64,${"A".repeat(10_000)}`
    assert.isUndefined(isRefused([{ image_url: { url: data } }]))
  })

  it.each(allowed)("accepts %j in every format", (url) => {
    for (const [, part] of forms(url)) assert.isUndefined(isRefused([{ content: [part] }]))
  })

  it("may lead anywhere with allowPrivateNetworks, but by http and https only", () => {
    for (const [, part] of forms("http://127.0.0.1:8080/a.png")) {
      assert.isUndefined(isRefused([part], true))
    }
    assert.isDefined(isRefused([{ image_url: { url: "file:///etc/passwd" } }], true))
  })

  it("ignores base64 content and text", () => {
    assert.isUndefined(
      isRefused([
        { type: "input_audio", input_audio: { data: "UklGRiQAAABXQVZF//8=", format: "wav" } },
        { type: "file", file: { file_data: "JVBERi0xLjQK", filename: "file:///a" } },
        { type: "text", text: "http://169.254.169.254/" },
        { type: "file", file: { file_data: "/9j/4AAQSkZJRgABAQAAAQABAAD/" } },
        { type: "file", file: { file_data: "//uQxAAAAAAAAAAAAAAAAAAAAAAA" } },
        { type: "document", source: { type: "text", data: "Note: //127.0.0.1/ is us" } },
        { type: "document", source: { type: "base64", data: "JVBE\nRi0x\nLjQK" } },
        { content: [{ type: "tool_use", input: { image_url: "http://localhost/" } }] },
        { type: "web_search_result", url: "http://localhost/" },
        { type: "function", function: { parameters: { image_url: "http://localhost/" } } },
        { name: "see", input_schema: { properties: { url: { default: "http://localhost/" } } } },
        { type: "function", parameters: { properties: { file_url: { const: "file:///" } } } },
        { annotations: [{ type: "url_citation", url_citation: { url: "http://localhost/" } }] },
        { tool_calls: [{ function: { name: "open", arguments: '{"url":"http://localhost/"}' } }] }
      ])
    )
  })

  it("finds URLs in answers and tool results", () => {
    const url = "http://169.254.169.254/"
    const images = [{ role: "assistant", images: [{ type: "image_url", image_url: { url } }] }]
    assert.strictEqual(isRefused(images)?.path.join("."), "0.images.0.image_url.url")
    const nested = [{ content: [{ type: "tool_result", content: [{ image_url: { url } }] }] }]
    assert.strictEqual(isRefused(nested)?.path.join("."), "0.content.0.content.0.image_url.url")
  })

  const inside = "http://127.0.0.1:9/x"
  it.each<readonly [what: string, path: string, value: unknown]>([
    ["the source of an image", "image.source", { image: { type: "image", source: inside } }],
    ["a frame of a video", "first_frame_image", { first_frame_image: inside }],
    ["a list of clips", "videos.0", { videos: [inside] }],
    ["bytes of an image", "image_data", { image_data: inside }],
    [
      "a feed to search",
      "search_parameters.sources.0.links.0",
      { search_parameters: { sources: [{ type: "rss", links: [inside] }] } }
    ],
    [
      "a data source",
      "data_sources.0.parameters.endpoint",
      { data_sources: [{ type: "azure_search", parameters: { endpoint: inside } }] }
    ],
    [
      "a parsed file in annotations",
      "annotations.0.file.content.0.image_url.url",
      { annotations: [{ file: { content: [{ image_url: { url: inside } }] } }] }
    ],
    ...["path", "proxy", "host", "server", "address", "website", "server_addresses"].map(
      (name) => [`a ${name} of a tool`, `tools.0.${name}`, { tools: [{ [name]: inside }] }] as const
    ),
    ["addresses by names of their own", "urls.main", { urls: { main: inside } }],
    ["an address after a blank of Unicode", "clip_url", { clip_url: `\u00a0${inside}` }]
  ])("finds %s at a private host", (_, path, value) => {
    assert.strictEqual(isRefused(value)?.path.join("."), path)
  })

  it.each(["printer.lan", "wiki.corp", "a.home", "x.intranet", "x.private", "api.default.svc"])(
    "rejects %s, a name of private networks",
    (host) => {
      assert.isDefined(isRefused({ image_url: `https://${host}/a.png` }))
    }
  )

  it("takes sound without a header, hidden thoughts and unpadded JPEG for base64", () => {
    const quiet = Buffer.from(new Uint8Array(6_000).fill(255)).toString("base64")
    const parts = [
      { type: "input_audio", input_audio: { data: quiet, format: "pcm16" } },
      { type: "redacted_thinking", data: "//8AEmwKAhgB" },
      { inlineData: { mimeType: "audio/mp3", data: "//uQxAAAAAAAAAAAAAAAAAAAAAAA" } },
      { file: { file_data: "/9j/4AAQSkZJRgABAQAAAQABAAD" } }
    ]
    for (const part of parts) assert.isUndefined(isRefused([{ content: [part] }]))
    assert.isDefined(isRefused({ file_data: `//localhost/${"a".repeat(8_000)}` }))
  })

  it("passes private addresses that no provider reads", () => {
    const url = "http://localhost:3000/"
    const values = [
      { type: "computer_call_output", current_url: url },
      { type: "file_search_call", results: [{ attributes: { url } }] },
      { guided_json: { examples: [{ url }] } },
      { tools: [{ type: "function", output_schema: { examples: [{ url }] } }] },
      { trace: { page_url: url } },
      { content: [{ type: "search_result", source: url, content: [] }] }
    ]
    for (const value of values) assert.isUndefined(isRefused(value), JSON.stringify(value))
  })

  it("reads a path at any depth once", () => {
    const depth = 2_000
    let value: unknown = { image_url: "http://localhost/" }
    for (let at = 0; at < depth; at++) value = { a: value }
    assert.lengthOf(isRefused(value)?.path ?? [], depth + 1)
  })
})
