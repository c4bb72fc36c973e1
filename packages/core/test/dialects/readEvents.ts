/** What a reader makes of events, until the last one or a failure. */
import type { ChatEvent } from "../../src/upstreams/ChatCapability.ts"
import { UpstreamFailure } from "../../src/upstreams/failures/UpstreamFailure.ts"
import type { EventReader } from "../../src/upstreams/transport/EventDecoder.ts"

export interface ReadEvents {
  readonly items: ReadonlyArray<ChatEvent>
  readonly failure?: UpstreamFailure
}

export const readEvents = (
  reader: EventReader<ChatEvent>,
  events: ReadonlyArray<Readonly<Record<string, unknown>>>
): ReadEvents => {
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
