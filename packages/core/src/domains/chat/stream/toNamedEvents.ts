/** Pushes a streamed answer as the events of another API, for calls in process. */
import * as Effect from "effect/Effect"
import type { NamedEvent } from "../../../dialects/NamedEvent.ts"
import type { RoutingError } from "../../../routing/Routing.ts"
import type { ChatDeltaEvent } from "../../../engine/upstreams/ChatCapability.ts"
import type { PushStream } from "../../../values/push/PushStream.ts"
import type { ChatStream } from "./streamChat.ts"

interface EventWriter {
  readonly write: (pieces: ReadonlyArray<ChatDeltaEvent>) => ReadonlyArray<NamedEvent>
  /** Writes the end of a complete answer. */
  readonly end: () => ReadonlyArray<NamedEvent>
}

/** Fails when the answer breaks off. */
export const toNamedEvents = (
  { pieces }: Pick<ChatStream, "pieces">,
  writer: EventWriter
): PushStream<NamedEvent, RoutingError> => ({
  run: (push) => {
    const pushAll = (events: ReadonlyArray<NamedEvent>) =>
      events.length === 0 ? Effect.void : push(events)
    return Effect.flatMap(
      pieces.run((arrived) => pushAll(writer.write(arrived))),
      () => pushAll(writer.end())
    )
  }
})
