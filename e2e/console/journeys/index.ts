/** The journeys of each page, in the order of the navigation. */
import { fleet } from "./fleet.ts"
import type { Journey } from "./Journey.ts"
import { now } from "./now.ts"
import { requests } from "./requests.ts"
import { route } from "./route.ts"
import { sessions } from "./sessions.ts"
import { users } from "./users.ts"

export const journeys: ReadonlyArray<Journey> = [
  ...now,
  ...requests,
  ...sessions,
  ...fleet,
  ...route,
  ...users
]
