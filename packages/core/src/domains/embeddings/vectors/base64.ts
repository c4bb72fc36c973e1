/** Vectors as base64 of little-endian float32, the compact form of OpenAI's API, and back. */
import * as Result from "effect/Result"
import * as Base64 from "effect/encoding/Base64"

const bytesPerNumber = 4

export const encodeVector = (numbers: ReadonlyArray<number>): string => {
  const view = new DataView(new ArrayBuffer(numbers.length * bytesPerNumber))
  for (let at = 0; at < numbers.length; at++) {
    view.setFloat32(at * bytesPerNumber, numbers[at]!, true)
  }
  return Base64.encode(new Uint8Array(view.buffer))
}

/** Undefined for text that is not base64 of whole float32. */
export const decodeVector = (text: string): ReadonlyArray<number> | undefined => {
  if (countNumbers(text) === undefined) return undefined
  const decoded = Base64.decode(text)
  if (Result.isFailure(decoded)) return undefined
  const { buffer, byteLength, byteOffset } = decoded.success
  const view = new DataView(buffer, byteOffset, byteLength)
  return Array.from({ length: byteLength / bytesPerNumber }, (_, at) =>
    view.getFloat32(at * bytesPerNumber, true)
  )
}

/** The length of the vector in `text`, without decoding it; undefined for text of the wrong form. */
export const countNumbers = (text: string): number | undefined => {
  if (text.length % 4 !== 0 || !base64.test(text)) return undefined
  const padding = text.endsWith("==") ? 2 : text.endsWith("=") ? 1 : 0
  const numbers = ((text.length / 4) * 3 - padding) / bytesPerNumber
  return Number.isInteger(numbers) ? numbers : undefined
}

const base64 = /^[A-Za-z0-9+/]*={0,2}$/

/** The vector of one input in the form that the caller gets: numbers, or base64 of little-endian float32. */
export type Vector = ReadonlyArray<number> | string
