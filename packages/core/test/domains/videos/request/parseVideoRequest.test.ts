import * as Result from "effect/Result"
import { assert, describe, it } from "vitest"
import { defaults } from "../../../../src/instance/Settings.ts"
import { parseVideoRequest } from "../../../../src/domains/videos/request/parseVideoRequest.ts"
import { VideoRequest } from "../../../../src/domains/videos/request/VideoRequest.ts"

const parse = (
  request: unknown,
  { bytes, session }: { readonly bytes?: number; readonly session?: string } = {}
) => {
  const text = typeof request === "string" ? request : JSON.stringify(request)
  return parseVideoRequest(text, { bytes: bytes ?? text.length, session, settings: defaults })
}
const parsed = (request: unknown, session?: string) =>
  Result.getOrThrow(parse(request, session === undefined ? {} : { session })).request
const problem = (request: unknown, bytes?: number) => {
  const failed = parse(request, bytes === undefined ? {} : { bytes })
  if (Result.isSuccess(failed)) return "none"
  const { failure } = failed
  return failure._tag === "InvalidRequest"
    ? `${failure.path.join(".")}: ${failure.problem}`
    : failure.limitBytes
}

/** A request for each place of a URL, and its path. */
const withMedia = (url: string) => [
  {
    at: "frame_images.0.image_url.url",
    request: {
      model: "a/b",
      frame_images: [{ type: "image_url", image_url: { url }, frame_type: "first_frame" }]
    }
  },
  ...["image_url", "audio_url", "video_url"].map((type) => ({
    at: `input_references.1.${type}.url`,
    request: {
      model: "a/b",
      input_references: [
        { type: "image_url", image_url: { url: "https://pictures.example.com/" } },
        { type, [type]: { url } }
      ]
    }
  }))
]

describe("parseVideoRequest", () => {
  it("ignores unknown keys", () => {
    assert.deepStrictEqual(parsed({ model: "a/b", mood: null }), { model: "a/b" })
  })

  it.each(Object.keys(VideoRequest.fields))("rejects null for %s, naming it", (field) => {
    assert.match(String(problem({ model: "a/b", [field]: null })), new RegExp(`^${field}: `))
  })

  it("rejects null for the options of providers", () => {
    assert.match(
      String(problem({ model: "a/b", provider: { options: null } })),
      /^provider\.options: /
    )
  })

  it("accepts preferences beside provider options, whose keys are data", () => {
    const options = JSON.parse('{"__proto__":{"a":1},"one":{"b":2}}') as unknown
    const request = { model: "a/b", provider: { options, zdr: true } }
    assert.deepStrictEqual<unknown>(parsed(request), request)
  })

  it("names an unknown preference", () => {
    assert.strictEqual(
      problem({ model: "a/b", provider: { optoins: {} } }),
      "provider.optoins: unknown routing preference"
    )
  })

  it.each<[string, unknown]>([
    ["model", {}],
    ["duration", { model: "a/b", duration: 0 }],
    ["size", { model: "a/b", size: "wide" }],
    ["aspect_ratio", { model: "a/b", aspect_ratio: "wide" }],
    ["upscale_factor", { model: "a/b", upscale_factor: 0 }],
    ["previous_job_id", { model: "a/b", previous_job_id: "gen-vid-x" }],
    [
      "frame_images.0.frame_type",
      {
        model: "a/b",
        frame_images: [{ type: "image_url", image_url: { url: "x" }, frame_type: "middle" }]
      }
    ],
    ["session_id", { model: "a/b", session_id: "x".repeat(257) }]
  ])("names the path %s of an invalid value", (path, request) => {
    assert.match(String(problem(request)), new RegExp(`^${path.replaceAll(".", "\\.")}: `))
  })

  it.each(["", "[]", "null", "{", "7"])("rejects %j", (text) => {
    assert.match(String(problem(text)), /^: /)
  })

  it("allows larger bodies with images", () => {
    const over = defaults.maxBodyBytes + 1
    assert.strictEqual(problem({ model: "a/b" }, over), defaults.maxBodyBytes)
    const pictured = {
      model: "a/b",
      input_references: [{ type: "image_url", image_url: { url: "data:image/png;base64,AA==" } }]
    }
    assert.strictEqual(problem(pictured, over), "none")
    assert.strictEqual(
      problem(pictured, defaults.maxImageBodyBytes + 1),
      defaults.maxImageBodyBytes
    )
  })

  it.each([
    "file:///etc/passwd",
    "FILE:///etc/passwd",
    "fi\nle:///etc/passwd",
    "gs://bucket/a.png",
    "javascript:alert(1)",
    "/etc/passwd",
    "https://user:secret@pictures.example.com/a.png",
    "http://localhost/a.png",
    "http://intranet/a.png",
    "http://metadata.google.internal/computeMetadata/v1/",
    "http://169.254.169.254/latest/meta-data/",
    "http://127.1:8080/",
    "http://0x7f.1/",
    "http://[::1]/",
    "http://[::ffff:7f00:1]/",
    "https://10.0.0.1/a.png"
  ])("rejects images, audio and video at %j", (url) => {
    for (const { at, request } of withMedia(url)) {
      const said = String(problem(request))
      assert.match(said, new RegExp(`^${at.replaceAll(".", "\\.")}: must `))
      assert.notInclude(said, url)
    }
  })

  it.each([
    "https://pictures.example.com:8443/a.png?b=c",
    "http://pictures.example.com/a.png",
    "https://8.8.8.8/a.png",
    "data:image/png;base64,AA==",
    "DATA:image/png;base64,AA=="
  ])("accepts images, audio and video at %j", (url) => {
    for (const { request } of withMedia(url)) assert.strictEqual(problem(request), "none")
  })

  it("allows images in private networks only with the setting", () => {
    const settings = { ...defaults, allowPrivateNetworks: true }
    const isTaken = (url: string) =>
      withMedia(url).map(({ request }) =>
        Result.isSuccess(parseVideoRequest(JSON.stringify(request), { bytes: 1, settings }))
      )
    assert.deepStrictEqual(isTaken("http://127.0.0.1:3000/a.png"), [true, true, true, true])
    assert.deepStrictEqual(isTaken("file:///etc/passwd"), [false, false, false, false])
  })

  it("uses the session of the header unless the body has one", () => {
    assert.strictEqual(parsed({ model: "a/b" }, "header").session_id, "header")
    assert.strictEqual(parsed({ model: "a/b", session_id: "body" }, "header").session_id, "body")
  })
})
