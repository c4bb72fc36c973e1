/** Draws rows at random, the same ones for the same seed. */
import { makeRandom } from "../../packages/core/src/routing/plan/makeRandom.ts"

/** All rows in a random order. */
export const drawRows = <A>(rows: ReadonlyArray<A>, seed: number): ReadonlyArray<A> => {
  const random = makeRandom(seed)
  const drawn = Array.from(rows)
  for (let at = drawn.length - 1; at > 0; at--) {
    const other = Math.floor(random() * (at + 1))
    ;[drawn[at], drawn[other]] = [drawn[other]!, drawn[at]!]
  }
  return drawn
}
