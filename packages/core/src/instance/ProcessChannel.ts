/** Short messages between the processes that share a store. A port. */
import * as Context from "effect/Context"
import type * as Effect from "effect/Effect"
import type * as Stream from "effect/Stream"

/** A message of another process. */
export interface ProcessMessage {
  /** The same for all messages of a process. */
  readonly from: string
  readonly text: string
}

/**
 * Messages are hints: one that is sent while the channel is down is lost, and nothing waits for it. Undefined: the stores
 * serve one process, or have no such channel.
 *
 * Race: messages of one process arrive in their order, and none arrives at its sender.
 */
export const ProcessChannel = Context.Reference<
  | {
      /** Sends up to `maxMessageBytes` of UTF-8 to all other processes; a longer text is not sent. */
      readonly publish: (text: string) => Effect.Effect<void>
      readonly messages: Stream.Stream<ProcessMessage>
    }
  | undefined
>("@signalbox/core/instance/ProcessChannel", { defaultValue: () => undefined })

/** `NOTIFY` of Postgres takes less than 8,000 bytes (https://www.postgresql.org/docs/current/sql-notify.html). */
export const maxMessageBytes = 7_000
