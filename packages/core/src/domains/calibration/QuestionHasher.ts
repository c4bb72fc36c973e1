/** Keyed hashes of questions, which tell equal ones apart from others and nothing else. */
import type * as Effect from "effect/Effect"
import * as Result from "effect/Result"
import * as Digest from "effect/crypto/Digest"
import * as Base64 from "effect/encoding/Base64"
import * as Hex from "effect/encoding/Hex"
import type { Question } from "../../questions/Question.ts"
import { setOwn } from "../../values/ownFields.ts"
import * as Step from "../../values/Step.ts"

/** Values that JSON cannot express are left out or null, as in `JSON.stringify`. */
const toCanonicalJson = (value: unknown): string =>
  JSON.stringify(value, (_, inner: unknown) => {
    if (typeof inner !== "object" || inner === null || Array.isArray(inner)) return inner
    const sorted: Record<string, unknown> = {}
    const entries = Object.entries(inner).toSorted(([one], [other]) =>
      one < other ? -1 : one > other ? 1 : 0
    )
    for (const [key, item] of entries) setOwn(sorted, key, item)
    return sorted
  })

/** The hashes of an account: with another secret the same question has another one. */
export interface QuestionHasher {
  /** 64 bits in hex of a question's type, instructions and criteria. The order of keys does not change the hash. */
  readonly hashQuestion: (question: Question) => Effect.Effect<string>
  /** 64 bits in hex of the name that the caller gave a question. */
  readonly hashName: (name: string) => Effect.Effect<string>
  /** 32 bits of the label of a choice. */
  readonly hashLabel: (label: string) => Effect.Effect<number>
}

/** `secret`: 32 random bytes in hex. */
export const makeQuestionHasher = (
  digest: Digest.Digest["Service"],
  secret: string
): QuestionHasher => {
  const key = Result.getOrThrow(Hex.decode(secret))
  const [inner, outer] = [pad(key, 0x36), pad(key, 0x5c)]
  /** HMAC-SHA-256 in hex: https://www.rfc-editor.org/rfc/rfc2104 */
  const sign = (text: string): Effect.Effect<string> =>
    Step.flatMap(digest.digestHex(Digest.sha256, concatenate(inner, encoder.encode(text))), (hex) =>
      digest.digestHex(Digest.sha256, concatenate(outer, Result.getOrThrow(Hex.decode(hex))))
    )
  return {
    hashQuestion: ({ criteria, instructions, type }) =>
      Step.map(sign(`question ${toCanonicalJson({ criteria, instructions, type })}`), toWord),
    hashName: (name) => Step.map(sign(`name ${name}`), toWord),
    hashLabel: (label) =>
      Step.map(sign(`label ${label}`), (hex) => Number.parseInt(hex.slice(0, 8), 16))
  }
}

const encoder = new TextEncoder()

const toWord = (hex: string): string => hex.slice(0, 16)

const blockBytes = 64

const pad = (key: Uint8Array, value: number): Uint8Array => {
  const block = new Uint8Array(blockBytes).fill(value)
  for (const [at, byte] of key.entries()) block[at] = byte ^ value
  return block
}

const concatenate = (one: Uint8Array, other: Uint8Array): Uint8Array => {
  const whole = new Uint8Array(one.length + other.length)
  whole.set(one)
  whole.set(other, one.length)
  return whole
}

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

/** The finalizer of MurmurHash3: https://en.wikipedia.org/wiki/MurmurHash */
export const mixBits = (value: number): number => {
  let bits = value
  bits = Math.imul(bits ^ (bits >>> 16), 0x85ebca6b)
  bits = Math.imul(bits ^ (bits >>> 13), 0xc2b2ae35)
  return (bits ^ (bits >>> 16)) >>> 0
}
