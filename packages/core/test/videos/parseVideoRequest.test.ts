import * as Result from "effect/Result"
import { assert, describe, it } from "vitest"
import { defaults } from "../../src/Settings.ts"
import { parseVideoRequest } from "../../src/videos/parseVideoRequest.ts"

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

describe("parseVideoRequest", () => {
  it("takes a null for what was left out, and ignores what it does not know", () => {
    assert.deepStrictEqual(
      parsed({ model: "a/b", prompt: null, duration: null, provider: null, mood: "blue" }),
      { model: "a/b" }
    )
  })

  it("takes preferences beside options of providers, whose keys are data", () => {
    const options = JSON.parse('{"__proto__":{"a":1},"one":{"b":2}}') as unknown
    const request = { model: "a/b", provider: { options, zdr: true } }
    assert.deepStrictEqual<unknown>(parsed(request), request)
  })

  it("names a preference there is not", () => {
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
  ])("names %s as the place at fault", (path, request) => {
    assert.match(String(problem(request)), new RegExp(`^${path.replaceAll(".", "\\.")}: `))
  })

  it.each(["", "[]", "null", "{", "7"])("refuses %j", (text) => {
    assert.match(String(problem(text)), /^: /)
  })

  it("lets pictures take more room than words", () => {
    const over = defaults.bodyLimitBytes + 1
    assert.strictEqual(problem({ model: "a/b" }, over), defaults.bodyLimitBytes)
    const pictured = {
      model: "a/b",
      input_references: [{ type: "image_url", image_url: { url: "data:image/png;base64,AA==" } }]
    }
    assert.strictEqual(problem(pictured, over), "none")
    assert.strictEqual(
      problem(pictured, defaults.imageBodyLimitBytes + 1),
      defaults.imageBodyLimitBytes
    )
  })

  it("takes the session of the header where the body has none", () => {
    assert.strictEqual(parsed({ model: "a/b" }, "header").session_id, "header")
    assert.strictEqual(parsed({ model: "a/b", session_id: "body" }, "header").session_id, "body")
  })
})
