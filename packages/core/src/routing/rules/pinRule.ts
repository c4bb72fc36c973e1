/** Work that must stay where it began. */
import { type HardRule, request } from "./HardRule.ts"

export const pinRule = (pin: string): HardRule => ({
  rule: "pin",
  source: request,
  wanted: pin,
  fails: ({ endpoint: { id } }) => (id === pin ? undefined : id)
})
