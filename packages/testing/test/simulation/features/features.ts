/** Every part that only some simulated worlds have, and which of them a world has. */
import { Chance } from "../Chance.ts"
import type { Feature } from "./Feature.ts"
import { distantClocks } from "./distantClocks.ts"
import { interns } from "./interns.ts"
import { ownCredentials } from "./ownCredentials.ts"
import { userBudgets } from "./userBudgets.ts"
import { webhooks } from "./webhooks.ts"

const features: ReadonlyArray<Feature> = [
  userBudgets,
  ownCredentials,
  webhooks,
  interns,
  distantClocks
]

/** By a chance of its own, so that worlds without any stay as they are. */
export const drawFeatures = (seed: number): ReadonlyArray<Feature> => {
  const chance = new Chance(~seed)
  return features.filter(({ share }) => chance.happens(share))
}
