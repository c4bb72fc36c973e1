/** Once everything works again, every process has started. */
import * as Cause from "effect/Cause"
import type { World } from "../World.ts"

export const everyProcessServes = ({ failures, slots }: World): ReadonlyArray<string> =>
  slots.flatMap(({ name, running }) => {
    const latest = failures.at(-1)
    return running === undefined
      ? [`${name} has not started: ${latest === undefined ? "it hangs" : Cause.pretty(latest)}`]
      : []
  })
