/** The journeys of each page, in the order of the navigation. */
import { interns } from "./interns.ts"
import { jobs } from "./jobs.ts"
import type { Journey } from "./Journey.ts"
import { keys } from "./keys.ts"
import { now } from "./now.ts"
import { requests } from "./requests.ts"
import { route } from "./route.ts"
import { spend } from "./spend.ts"

export const journeys: ReadonlyArray<Journey> = [
  ...now,
  ...requests,
  ...route,
  ...spend,
  ...jobs,
  ...interns,
  ...keys
]
