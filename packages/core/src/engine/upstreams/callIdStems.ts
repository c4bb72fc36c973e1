/** Makes ids for calls whose provider gives them none, unique across answers. */
import * as Random from "effect/Random"
import { getCurrentRef } from "../../values/Pending.ts"

/** The random numbers of the running request. */
export const findRandom = (): typeof Random.Random.Service =>
  getCurrentRef(Random.Random) ?? Random.Random.defaultValue()

/** The beginning of ids in one answer. */
export const drawCallIdStem = (random: typeof Random.Random.Service): string =>
  Math.abs(random.nextIntUnsafe()).toString(36)

/** Draws when the stem is asked for, because most answers need none. */
export const makeCallIdStems = (): (() => string) => {
  const random = findRandom()
  return () => drawCallIdStem(random)
}
