/** What a reader makes of events, until the last one or a failure. */
import type { ChatEvent } from "../../src/engine/upstreams/ChatCapability.ts"
import { type WrittenEvent, writeEvents } from "@signalbox/testing"
import { UpstreamFailure } from "../../src/engine/upstreams/failures/UpstreamFailure.ts"
import type { EventReader } from "../../src/engine/upstreams/transport/EventDecoder.ts"

export interface ReadEvents {
  /** In the form of the chat API. */
  readonly items: ReadonlyArray<WrittenEvent>
  readonly events: ReadonlyArray<ChatEvent>
  readonly failure?: UpstreamFailure
}

export const readEvents = (
  reader: EventReader<ChatEvent>,
  events: ReadonlyArray<Readonly<Record<string, unknown>>>
): ReadEvents => {
  const { failure, items } = readAll(reader, events)
  return {
    items: writeEvents(items),
    events: items,
    ...(failure === undefined ? undefined : { failure })
  }
}

/** The pieces in the events. */
export const listDeltas = <Delta>(
  events: ReadonlyArray<
    { readonly type: "delta"; readonly choices: ReadonlyArray<Delta> } | { readonly type: "end" }
  >
): ReadonlyArray<Delta> => events.flatMap((event) => (event.type === "delta" ? event.choices : []))

const readAll = (
  reader: EventReader<ChatEvent>,
  events: ReadonlyArray<Readonly<Record<string, unknown>>>
): { readonly items: ReadonlyArray<ChatEvent>; readonly failure?: UpstreamFailure } => {
  const items: Array<ChatEvent> = []
  for (const event of events) {
    if (reader.isDone?.() === true) return { items }
    const read = reader.read(event)
    if (read instanceof UpstreamFailure) return { items, failure: read }
    if (read !== undefined) items.push(...[read].flat())
  }
  const last = reader.end?.()
  if (last instanceof UpstreamFailure) return { items, failure: last }
  return { items: last === undefined ? items : [...items, last] }
}
