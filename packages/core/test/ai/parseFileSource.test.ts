import { describe, expect, it } from "vitest"
import { parseFileSource } from "../../src/ai/parseConversation.ts"

const png = "iVBORw0KGgo="

describe("a file of a prompt", () => {
  it.each(["image", "image/*", "IMAGE/*"])(
    "of the kind %s has the type of its bytes",
    (mediaType) => {
      expect(parseFileSource({ data: png, mediaType })).toEqual({
        type: "base64",
        mediaType: "image/png",
        data: png
      })
      expect(parseFileSource({ data: Uint8Array.of(0xff, 0xd8, 0xff), mediaType })).toMatchObject({
        mediaType: "image/jpeg"
      })
    }
  )

  it("keeps the type that it says, or that its URL says", () => {
    const stated = parseFileSource({ data: png, mediaType: "image/heic" })
    expect(stated).toMatchObject({ mediaType: "image/heic" })
    const linked = parseFileSource({
      data: `data:image/svg+xml;base64,${png}`,
      mediaType: "image/*"
    })
    expect(linked).toMatchObject({ mediaType: "image/svg+xml" })
  })
})
