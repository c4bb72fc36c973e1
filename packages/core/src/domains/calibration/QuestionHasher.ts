/** Keyed hashes of questions, which tell equal ones apart from others and nothing else. */
import * as Digest from "effect/crypto/Digest"
import * as Effect from "effect/Effect"
import * as Hex from "effect/encoding/Hex"
import * as Result from "effect/Result"
import type { Question } from "../../questions/Question.ts"
import { toCanonicalJson } from "./toCanonicalJson.ts"

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
    Effect.flatMapEager(
      digest.digestHex(Digest.sha256, concatenate(inner, encoder.encode(text))),
      (hex) =>
        digest.digestHex(Digest.sha256, concatenate(outer, Result.getOrThrow(Hex.decode(hex))))
    )
  return {
    hashQuestion: ({ criteria, instructions, type }) =>
      Effect.mapEager(
        sign(`question ${toCanonicalJson({ criteria, instructions, type })}`),
        toWord
      ),
    hashName: (name) => Effect.mapEager(sign(`name ${name}`), toWord),
    hashLabel: (label) =>
      Effect.mapEager(sign(`label ${label}`), (hex) => Number.parseInt(hex.slice(0, 8), 16))
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
