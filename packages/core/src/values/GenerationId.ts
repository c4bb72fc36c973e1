/** Names one answered (or failed) request: `gen-dec-<unix seconds>-<20 alphanumerics>`. */
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import * as Random from "effect/Random"
import * as Schema from "effect/Schema"

export const GenerationId = Schema.String.pipe(Schema.brand("GenerationId"))
export type GenerationId = typeof GenerationId.Type

const alphabet = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz"

/** A fresh id for a Decision. The tail has 119 bits, so ids do not collide within a second. */
export const nextDecision: Effect.Effect<GenerationId> = Effect.withFiber((fiber) => {
  const random = fiber.getRef(Random.Random)
  const seconds = Math.floor(fiber.getRef(Clock.Clock).currentTimeMillisUnsafe() / 1000)
  let tail = ""
  for (let i = 0; i < 20; i++) {
    tail += alphabet[Math.floor(random.nextDoubleUnsafe() * alphabet.length)]
  }
  return Effect.succeed(GenerationId.make(`gen-dec-${seconds}-${tail}`))
})
