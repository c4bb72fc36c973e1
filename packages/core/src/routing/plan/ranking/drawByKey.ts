/** Draws a number for a conversation, the same each time. */
import { hashText } from "../../../values/hashText.ts"

/** At least 0 and less than 1; `purpose` tells draws of one key from each other. */
export const drawByKey = (affinityKey: number, purpose: string): number =>
  (hashText(affinityKey, purpose) >>> 0) / 4_294_967_296
