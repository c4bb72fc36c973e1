/** Reads the deltas of a streamed chat, for those who get them from the chat API instead of a provider. */
import type { AnswerEvent } from "../../conversation/Answer.ts"
import { findRandom } from "../../engine/upstreams/callIdStems.ts"
import { AnswerReader } from "./AnswerReader.ts"

/** Reads one choice, delta by delta. */
export const makeChatDeltaReader = (): ((
  delta: Readonly<Record<string, unknown>>
) => ReadonlyArray<AnswerEvent>) => {
  const reader = new AnswerReader({ random: findRandom(), keepsFunctionCall: false })
  return (delta) => reader.readDelta(delta, false).events
}
