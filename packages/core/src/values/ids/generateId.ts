/**
 * Makes ids: fresh ones of the form `<kind>-<unix seconds>-<20 alphanumerics>`, random UUIDs, and ids derived from
 * their parts.
 */
import * as Clock from "effect/Clock"
import * as Digest from "effect/crypto/Digest"
import * as Effect from "effect/Effect"
import * as Random from "effect/Random"

/** The tail has 119 bits, so ids do not collide within a second. */
export const generateId = <Id>(kind: string, brand: (id: string) => Id): Effect.Effect<Id> =>
  Effect.withFiber((fiber) =>
    Effect.succeed(brand(drawId(kind, fiber.getRef(Clock.Clock), fiber.getRef(Random.Random))))
  )

type RandomSource = (typeof Random.Random)["Service"]

/** `generateId` without an effect. */
export const drawId = (kind: string, clock: Clock.Clock, random: RandomSource): string =>
  `${kind}-${Math.floor(clock.currentTimeMillisUnsafe() / 1000)}-${drawTail(random)}`

const alphabet = Array.from(
  "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz",
  (character) => character.charCodeAt(0)
)
const tailLength = 20
/** The characters that one draw yields: 62 ** 7 is below 2 ** 42, and a draw has 52 bits. */
const charactersPerDraw = 7
const drawRange = alphabet.length ** charactersPerDraw

/** Overwritten by every id. */
const tailCodes: Array<number> = Array.from({ length: tailLength }, () => 0)

const drawTail = (random: RandomSource): string => {
  let drawn = 0
  for (let at = 0; at < tailLength; at++) {
    if (at % charactersPerDraw === 0) drawn = Math.floor(random.nextDoubleUnsafe() * drawRange)
    tailCodes[at] = alphabet[drawn % alphabet.length]!
    drawn = Math.floor(drawn / alphabet.length)
  }
  return String.fromCharCode(...tailCodes)
}

const random = new Uint8Array(16 * 64)
let usedBytes = random.length

const decoder = new TextDecoder()
const encoder = new TextEncoder()
const digits = encoder.encode("0123456789abcdef")
const template = "00000000-0000-4000-8000-000000000000"
const text = encoder.encode(template)
const positions = Array.from(template, (character, index) =>
  character === "-" ? -1 : index
).filter((index) => index !== -1)

/** Random UUIDs of version 4, as flat strings: `crypto.randomUUID` returns concatenations of twenty parts in Node. */
export const makeUuid = (): string => {
  if (usedBytes === random.length) {
    crypto.getRandomValues(random)
    usedBytes = 0
  }
  for (let index = 0; index < 16; index++) {
    const byte = setVersion(random[usedBytes + index]!, index)
    text[positions[2 * index]!] = digits[byte >> 4]!
    text[positions[2 * index + 1]!] = digits[byte & 15]!
  }
  usedBytes += 16
  return decoder.decode(text)
}

/** https://www.rfc-editor.org/rfc/rfc9562#section-5.4 */
const setVersion = (byte: number, index: number): number => {
  if (index === 6) return (byte & 0x0f) | 0x40
  return index === 8 ? (byte & 0x3f) | 0x80 : byte
}

/** Derives an id from its parts, in the form of a UUID (version 8): equal parts have equal ids. */
export const deriveId = (
  digest: Digest.Digest["Service"],
  parts: ReadonlyArray<string>
): Effect.Effect<string> =>
  Effect.map(
    digest.digestHex(Digest.sha256, encoder.encode(JSON.stringify(parts))),
    (hex) =>
      `${hex.slice(0, 8)}-${hex.slice(8, 12)}-8${hex.slice(13, 16)}-8${hex.slice(17, 20)}-${hex.slice(20, 32)}`
  )
