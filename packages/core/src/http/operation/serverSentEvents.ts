/** Encodes server-sent events: one per chunk, and `[DONE]` at the end. */
import * as Arr from "effect/Array"
import * as Stream from "effect/Stream"

export const toEvent = (chunk: object): string => `data: ${JSON.stringify(chunk)}\n\n`

export const doneEvent = "data: [DONE]\n\n"

/** Events that are ready together are sent as one chunk. */
export const encodeEvents = (events: Stream.Stream<string>): Stream.Stream<Uint8Array> =>
  Stream.mapArray(events, (texts) => Arr.of(encoder.encode(texts.join(""))))

const encoder = new TextEncoder()
