/** One journey for each page, in the order of the navigation. */
import type { Journey } from "./Journey.ts"
import { now } from "./now.ts"

export const journeys: ReadonlyArray<Journey> = [now]
