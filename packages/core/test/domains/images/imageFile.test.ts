/** The size of an image is read from the beginning of its file. */
import { imageOf } from "@signalbox/testing"
import * as fc from "fast-check"
import { describe, expect, test } from "vitest"
import { isBase64, readImageFile } from "../../../src/domains/images/imageFile.ts"

const toBase64 = (...bytes: ReadonlyArray<number>): string => Buffer.from(bytes).toString("base64")

const text = (characters: string): ReadonlyArray<number> => [...Buffer.from(characters, "latin1")]

describe("readImageFile", () => {
  test("reads a PNG", () => {
    expect(readImageFile(imageOf("1536x1024"))).toEqual({
      mediaType: "image/png",
      pixels: { width: 1_536, height: 1_024 }
    })
  })

  test("reads a JPEG, behind its metadata", () => {
    const metadata = [0xff, 0xe1, 0x00, 0x06, 1, 2, 3, 4]
    const frame = [0xff, 0xc2, 0x00, 0x11, 8, 0x04, 0x00, 0x06, 0x00, 3, 0, 0]
    expect(readImageFile(toBase64(0xff, 0xd8, ...metadata, ...frame))).toEqual({
      mediaType: "image/jpeg",
      pixels: { width: 1_536, height: 1_024 }
    })
  })

  test("reads the extended form of WebP", () => {
    const head = [...text("RIFF"), 0, 0, 0, 0, ...text("WEBPVP8X"), 10, 0, 0, 0, 0, 0, 0, 0]
    expect(readImageFile(toBase64(...head, 0xff, 0x05, 0, 0xff, 0x03, 0))).toEqual({
      mediaType: "image/webp",
      pixels: { width: 1_536, height: 1_024 }
    })
  })

  test("reads the kind of an SVG, which has no pixels", () => {
    expect(readImageFile(Buffer.from("<svg></svg>").toString("base64"))).toEqual({
      mediaType: "image/svg+xml"
    })
  })

  test("says nothing of other files, and never fails", () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 100 }), (bytes) => {
        readImageFile(Buffer.from(bytes).toString("base64"))
        readImageFile(toBase64(0xff, 0xd8, ...bytes))
        readImageFile(toBase64(...text("RIFF    WEBP"), ...bytes))
      })
    )
    expect(readImageFile("****")).toEqual({})
  })
})

test("isBase64 takes what a decoder takes", () => {
  fc.assert(
    fc.property(fc.uint8Array({ minLength: 1 }), (bytes) => {
      expect(isBase64(Buffer.from(bytes).toString("base64"))).toBe(true)
    })
  )
  for (const wrong of ["", "<html>", "AAA", "AA=A", "data:image/png;base64,AAAA"]) {
    expect(isBase64(wrong)).toBe(false)
  }
})
