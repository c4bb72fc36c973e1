/** Makes ids for calls whose provider gives them none, unique across answers. */
import * as Fiber from "effect/Fiber"
import * as Random from "effect/Random"

/** The random numbers of the running fiber. */
export const findRandom = (): typeof Random.Random.Service =>
  Fiber.getCurrent()?.getRef(Random.Random) ?? Random.Random.defaultValue()

/** The beginning of ids in one answer. */
export const drawCallIdStem = (random: typeof Random.Random.Service): string =>
  Math.abs(random.nextIntUnsafe()).toString(36)

/** Draws when the stem is asked for, because most answers need none. */
export const makeCallIdStems = (): (() => string) => {
  const random = findRandom()
  return () => drawCallIdStem(random)
}
