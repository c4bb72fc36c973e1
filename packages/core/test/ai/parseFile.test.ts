import { describe, expect, it } from "vitest"
import { parseFile } from "../../src/ai/parseFile.ts"

const png = "iVBORw0KGgo="

describe("a file of a prompt", () => {
  it.each(["image", "image/*", "IMAGE/*"])(
    "of the kind %s has the type of its bytes",
    (mediaType) => {
      expect(parseFile({ data: png, mediaType })).toEqual({
        type: "image",
        source: { type: "base64", mediaType: "image/png", data: png }
      })
      expect(parseFile({ data: Uint8Array.of(0xff, 0xd8, 0xff), mediaType })).toMatchObject({
        source: { mediaType: "image/jpeg" }
      })
    }
  )

  it("keeps the type that it says, or that its URL says", () => {
    const stated = parseFile({ data: png, mediaType: "image/heic" })
    expect(stated).toMatchObject({ source: { mediaType: "image/heic" } })
    const linked = parseFile({ data: `data:image/svg+xml;base64,${png}`, mediaType: "image/*" })
    expect(linked).toMatchObject({ source: { mediaType: "image/svg+xml" } })
  })

  it("says the format of audio by its type", () => {
    expect(parseFile({ data: "AAAA", mediaType: "audio/mpeg" })).toMatchObject({ format: "mp3" })
    expect(parseFile({ data: "AAAA", mediaType: "Audio/WAV" })).toMatchObject({ format: "wav" })
  })
})
