/** Whether a conversation takes part in an experiment. */
import * as Hash from "effect/Hash"
import { makeRandom } from "../../routing/plan/makeRandom.ts"

/**
 * Draws `share` of all conversations. One conversation has the same result in every process and for every request, and
 * one that takes part still does when the share grows.
 */
export const isDrawn = (
  experiment: string,
  share: number,
  account: string,
  conversation: string
): boolean => makeRandom(Hash.string(JSON.stringify([experiment, account, conversation])))() < share
