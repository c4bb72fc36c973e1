/** Addresses in a conversation that no provider may be sent to. */
import { assert, describe, it } from "@effect/vitest"
import { findTurnMediaProblem } from "../../../../src/domains/chat/request/decodeNativeChat.ts"
import { listMediaParts, type MediaPart } from "../../../../src/domains/chat/said/turnFacts.ts"
import { addressRequired } from "../../../../src/engine/outbound/findMediaProblem.ts"

const settings = { allowPrivateNetworks: false }
const at = (type: MediaPart["type"], url: string): MediaPart => ({
  type,
  source: { type: "url", url }
})
const id = { type: "id", id: "file_1", dialect: "messages" } as const
const bytes = { type: "base64", mediaType: "image/png", data: "QQ==" } as const

describe("findTurnMediaProblem", () => {
  it.each(["audio", "file", "image", "video"] as const)(
    "refuses a private address of: %s",
    (type) => {
      assert.isDefined(findTurnMediaProblem([at(type, "http://127.0.0.1/a")], settings))
      assert.isUndefined(findTurnMediaProblem([at(type, "https://example.com/a")], settings))
      assert.isUndefined(findTurnMediaProblem([{ type, source: bytes }], settings))
    }
  )

  it("takes ids of files, which are no addresses, and of images in the Messages API alone", () => {
    assert.isUndefined(findTurnMediaProblem([{ type: "file", source: id }], settings))
    assert.isUndefined(findTurnMediaProblem([{ type: "image", source: id }], settings))
    const responsesId = { ...id, dialect: "responses" } as const
    assert.strictEqual(
      findTurnMediaProblem([{ type: "image", source: responsesId }], settings),
      addressRequired
    )
  })

  it("looks into results of tools, too", () => {
    const image = { type: "image", source: { type: "url", url: "http://localhost/a" } } as const
    const text = { type: "text", text: "Two." } as const
    const media = listMediaParts([
      { role: "tool", parts: [{ type: "result", callId: "c", content: [text, image, image] }] }
    ])
    assert.lengthOf(media, 2)
    assert.isDefined(findTurnMediaProblem(media, settings))
  })
})
