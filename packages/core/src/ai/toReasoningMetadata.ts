/** Whose reasoning a part is, for the requests that it goes back with. */
import type { ReasoningPart } from "../conversation/Part.ts"
import { omitUndefined } from "../values/omitUndefined.ts"
import type { ReasoningMetadata } from "./partMetadata.ts"

export const toReasoningMetadata = ({
  encrypted,
  format,
  id,
  isSummary,
  signature
}: Omit<ReasoningPart, "type">): ReasoningMetadata => ({
  format,
  ...omitUndefined({ encrypted, id, isSummary, signature })
})
