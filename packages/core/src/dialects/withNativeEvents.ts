/** Streams the events of a provider beside what they say in the chat dialect. */
import { identity } from "effect/Function"
import type { ChatDeltaEvent, ChatEvent } from "../upstreams/ChatCapability.ts"
import { UpstreamFailure } from "../upstreams/failures/UpstreamFailure.ts"
import type { EventReader } from "../upstreams/transport/EventDecoder.ts"

type Json = Readonly<Record<string, unknown>>

const maxWaiting = 256

/**
 * Events that say nothing in the chat dialect wait for the first that does: until then another provider may answer. Those
 * after the last one come with the end, in a delta without choices. A provider that has sent many, such as those of the
 * code that it runs, is answering, too.
 */
export const withNativeEvents = (
  reader: EventReader<ChatEvent>,
  markNative: (event: Json) => Json = identity
): EventReader<ChatEvent> => {
  let waiting: Array<Json> = []
  let hasBegun = false

  const take = (): ReadonlyArray<Json> => {
    const native = waiting
    waiting = []
    return native
  }

  return {
    read: (json) => {
      const read = reader.read(json)
      if (read instanceof UpstreamFailure) return read
      const events = read === undefined ? [] : isList(read) ? read : [read]
      // What only keeps a connection alive would fill the memory before the answer begins.
      if (hasBegun || !isPing(json) || !isPing(waiting.at(-1))) waiting.push(markNative(json))
      const first = events[0]
      if (first?.type === "delta") {
        hasBegun = true
        return [{ ...first, native: take() }, ...events.slice(1)]
      }
      if (!hasBegun) {
        if (waiting.length < maxWaiting || events.length > 0) return events
        hasBegun = true
      }
      const silent: ChatDeltaEvent = { type: "delta", choices: [], native: take() }
      return [silent, ...events]
    },
    done: reader.done,
    ...(reader.isDone === undefined ? undefined : { isDone: reader.isDone }),
    ...(reader.end === undefined ? undefined : { end: reader.end })
  }
}

const isList = (read: ChatEvent | ReadonlyArray<ChatEvent>): read is ReadonlyArray<ChatEvent> =>
  Array.isArray(read)

const isPing = (event: Json | undefined): boolean => event?.["type"] === "ping"
