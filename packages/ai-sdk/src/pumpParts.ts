/** Pushes the events of a stream of the AI SDK as its parts arrive. */
import type { LanguageModelV4StreamPart } from "@ai-sdk/provider"
import { type ChatEvent, type Push, UpstreamFailure } from "@signalbox/core/upstream"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"

export interface PumpOptions {
  /** The events of a part, or the failure in it. */
  readonly read: (part: LanguageModelV4StreamPart) => ReadonlyArray<ChatEvent> | UpstreamFailure
  /** Whether the last part was read. */
  readonly isDone: () => boolean
  /** Converts errors of the stream, and errors while reading a part. */
  readonly toFailure: (error: unknown) => UpstreamFailure
  readonly push: Push<ChatEvent>
}

/** Completes after the last part, or at the end of a stream without a last part. */
export const pumpParts = (
  parts: ReadableStreamDefaultReader<LanguageModelV4StreamPart>,
  options: PumpOptions
): Effect.Effect<void, UpstreamFailure> =>
  Effect.callback((resume) => {
    const { isDone, push, read, toFailure } = options
    let isOver = false
    const finish = (outcome: Effect.Effect<void, UpstreamFailure>): void => {
      isOver = true
      resume(outcome)
    }
    const take = (part: LanguageModelV4StreamPart): void => {
      const events = read(part)
      if (events instanceof UpstreamFailure) return finish(Effect.fail(events))
      const taken = events.length === 0 ? Effect.void : push(events)
      if (!Exit.isExit(taken)) {
        // The reader is behind: nothing is read until it has caught up.
        const next = isDone() ? Effect.void : Effect.suspend(() => pumpParts(parts, options))
        finish(Effect.andThen(taken, next))
      } else if (Exit.isFailure(taken) || isDone()) finish(taken)
      else void pull()
    }
    const pull = async (): Promise<void> => {
      try {
        const { done, value } = await parts.read()
        if (isOver) return
        if (done) finish(Effect.void)
        else take(value)
      } catch (error) {
        if (!isOver) finish(Effect.fail(toFailure(error)))
      }
    }
    void pull()
    return Effect.sync(() => {
      isOver = true
    })
  })
