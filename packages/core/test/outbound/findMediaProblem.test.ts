import { assert, describe, it } from "vitest"
import { findMediaProblem } from "../../src/outbound/findMediaProblem.ts"

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
  "https://user:pass@example.com/"
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
})
