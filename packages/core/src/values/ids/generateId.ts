/** Fresh ids of the form `<kind>-<unix seconds>-<20 alphanumerics>`. */
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import * as Random from "effect/Random"

const alphabet = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz"

/** The tail has 119 bits, so ids do not collide within a second. */
export const generateId = <Id>(kind: string, brand: (id: string) => Id): Effect.Effect<Id> =>
  Effect.withFiber((fiber) => {
    const random = fiber.getRef(Random.Random)
    const seconds = Math.floor(fiber.getRef(Clock.Clock).currentTimeMillisUnsafe() / 1000)
    let tail = ""
    for (let i = 0; i < 20; i++) {
      tail += alphabet[Math.floor(random.nextDoubleUnsafe() * alphabet.length)]
    }
    return Effect.succeed(brand(`${kind}-${seconds}-${tail}`))
  })
