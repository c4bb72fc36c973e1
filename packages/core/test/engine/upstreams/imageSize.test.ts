/** Sizes, resolutions and aspect ratios stand for each other as providers round them. */
import { expect, test } from "vitest"
import {
  findAspectRatio,
  findPixelSize,
  findResolution,
  hasRatio,
  parsePixelSize,
  parseRatio,
  parseResolution
} from "../../../src/engine/upstreams/images/imageSize.ts"

test.each([
  ["1024x1024", "1:1", true],
  ["1344x768", "16:9", true],
  ["1792x1024", "16:9", true],
  ["1024x1536", "2:3", true],
  ["1024x1536", "3:2", false],
  ["1024x1024", "4:5", false]
])("%s is %s: %s", (size, ratio, expected) => {
  expect(hasRatio(parsePixelSize(size)!, ratio)).toBe(expected)
})

test.each([
  ["512x512", "512"],
  ["1024x1024", "1K"],
  ["1536x1024", "1K"],
  ["2048x2048", "2K"],
  ["3840x2160", "2K"],
  ["4096x4096", "4K"],
  ["64x64", undefined]
])("%s has the resolution %s", (size, resolution) => {
  expect(findResolution(size)).toBe(resolution)
})

test("a call gets the size or the ratio that its endpoint takes", () => {
  const sizes = ["1024x1024", "1536x1024", "1024x1536"]
  expect(findPixelSize({ aspectRatio: "16:9" }, sizes)).toBe("1536x1024")
  expect(findPixelSize({ aspectRatio: "9:19.5" }, sizes)).toBe("1024x1536")
  expect(findPixelSize({ size: "1024X1536" }, sizes)).toBe("1024x1536")
  expect(findPixelSize({ size: "640x480" }, sizes)).toBeUndefined()
  expect(findPixelSize({}, sizes)).toBeUndefined()
  expect(findAspectRatio({ size: "1344x768" }, ["1:1", "16:9"])).toBe("16:9")
  expect(findAspectRatio({ size: "1024x640" }, ["1:1", "16:9"])).toBeUndefined()
  expect(findAspectRatio({ aspectRatio: "4:3" }, ["1:1"])).toBeUndefined()
})

test("what is no size, resolution or ratio is none", () => {
  for (const text of ["", "0x0", "1024", "1024x", "x1024", "1e3x1e3", "999999x1"]) {
    expect(parsePixelSize(text)).toBeUndefined()
  }
  for (const text of ["", "K", "0", "1M", "-1K"]) expect(parseResolution(text)).toBeUndefined()
  for (const text of ["", "1:0", "0:1", "16/9", "16:9:1"]) expect(parseRatio(text)).toBeUndefined()
})
