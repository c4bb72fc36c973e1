/** Streams the events of a provider beside what they say in the chat dialect. */
import { identity } from "effect/Function"
import type { ChatDeltaEvent, ChatEvent } from "../engine/upstreams/ChatCapability.ts"
import { UpstreamFailure } from "../engine/upstreams/failures/UpstreamFailure.ts"
import type { EventReader } from "../engine/upstreams/transport/EventDecoder.ts"

type Json = Readonly<Record<string, unknown>>

const maxWaiting = 256

/**
 * Events without content in the chat dialect wait for the first one with content: until then another provider may
 * answer. Events after the last content come with the end, in a delta without choices. A provider that has sent many
 * events, such as those of code that it runs, also counts as answering.
 */
export const withNativeEvents = (
  reader: EventReader<ChatEvent>,
  markNative: (event: Json) => Json = identity
): EventReader<ChatEvent> => {
  let waiting: Array<Json> = []
  let hasBegun = false

  return {
    read: (json) => {
      const read = reader.read(json)
      if (read instanceof UpstreamFailure) return read
      if (hasBegun) return addNative(read, [markNative(json)])
      // Keepalive events would fill the memory before the answer begins.
      if (!isPing(json) || !isPing(waiting.at(-1))) waiting.push(markNative(json))
      const first = isList(read) ? read[0] : read
      hasBegun = first === undefined ? waiting.length >= maxWaiting : first.type === "delta"
      if (!hasBegun) return read
      const native = waiting
      waiting = []
      return addNative(read, native)
    },
    done: reader.done,
    ...(reader.isDone === undefined ? undefined : { isDone: reader.isDone }),
    ...(reader.end === undefined ? undefined : { end: reader.end })
  }
}

type Read = ChatEvent | ReadonlyArray<ChatEvent> | undefined

/** To the first event if that is a delta, else to one before it that says nothing else. */
const addNative = (read: Read, native: ReadonlyArray<Json>): Exclude<Read, undefined> => {
  if (read === undefined) return toSilent(native)
  if (!isList(read)) return read.type === "delta" ? { ...read, native } : [toSilent(native), read]
  const [first, ...others] = read
  return first?.type === "delta" ? [{ ...first, native }, ...others] : [toSilent(native), ...read]
}

const toSilent = (native: ReadonlyArray<Json>): ChatDeltaEvent => ({
  type: "delta",
  choices: [],
  native
})

const isList = (read: Read): read is ReadonlyArray<ChatEvent> => Array.isArray(read)

const isPing = (event: Json | undefined): boolean => event?.["type"] === "ping"
