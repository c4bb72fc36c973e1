/** Keeps work at the candidate that began it. */
import { type HardRule, requestSource } from "./HardRule.ts"

export const makePinRule = (pin: string): HardRule => ({
  rule: "pin",
  source: requestSource,
  wanted: pin,
  findViolation: ({ id }) => (id === pin ? undefined : id)
})
