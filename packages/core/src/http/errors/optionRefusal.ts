/** What a host is told when its options cannot be built: in process alone, since nothing is served then. */
import type { OptionFailed } from "../../values/OptionFailed.ts"
import type { Refusal } from "./Refusal.ts"

export const optionRefusal = ({ message, option }: OptionFailed): Refusal => ({
  status: 503,
  message,
  metadata: { option }
})
