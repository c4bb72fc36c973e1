/** Numbers as base64 of their little-endian bytes: compact in records and documents. */
import * as Base64 from "effect/encoding/Base64"
import * as Result from "effect/Result"

/** 32-bit floats. */
export const encodeFloats = (values: ArrayLike<number>): string => {
  const view = new DataView(new ArrayBuffer(values.length * 4))
  for (let at = 0; at < values.length; at++) view.setFloat32(at * 4, values[at]!, true)
  return Base64.encode(new Uint8Array(view.buffer))
}

/** Reads what `encodeFloats` wrote; throws for anything else. */
export const decodeFloats = (text: string): Float32Array => {
  const view = toView(text)
  return Float32Array.from({ length: view.byteLength / 4 }, (_, at) =>
    view.getFloat32(at * 4, true)
  )
}

/** 32-bit unsigned integers. */
export const encodeIntegers = (values: ReadonlyArray<number>): string => {
  const view = new DataView(new ArrayBuffer(values.length * 4))
  for (const [at, value] of values.entries()) view.setUint32(at * 4, value, true)
  return Base64.encode(new Uint8Array(view.buffer))
}

/** Reads what `encodeIntegers` wrote; throws for anything else. */
export const decodeIntegers = (text: string): ReadonlyArray<number> => {
  const view = toView(text)
  return Array.from({ length: view.byteLength / 4 }, (_, at) => view.getUint32(at * 4, true))
}

const toView = (text: string): DataView => {
  const bytes = Result.getOrThrow(Base64.decode(text))
  return new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)
}
