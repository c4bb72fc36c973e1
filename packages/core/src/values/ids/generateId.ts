/** Fresh ids of the form `<kind>-<unix seconds>-<20 alphanumerics>`. */
import * as Clock from "effect/Clock"
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
