/** Exports the traffic of all accounts as a recording. */
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import type {
  GenerationPageRequest,
  GenerationPosition
} from "../../../engine/observability/generations/GenerationFilter.ts"
import { GenerationStore } from "../../../engine/observability/generations/GenerationStore.ts"
import type { RecordedRequest } from "./RecordedRequest.ts"
import { toRecordedRequest } from "./toRecordedRequest.ts"

/** A page of a recording, in the order of time. It may hold fewer requests than were asked for, even none. */
export interface RecordingPage {
  readonly rows: ReadonlyArray<RecordedRequest>
  /** Where the next page begins; absent on the last page. */
  readonly next?: GenerationPosition
}

const dayMillis = 86_400_000

/** Reads pages of a recording; `since` is in milliseconds since the epoch, by default a day ago. */
export const makeRecordingReader: Effect.Effect<
  (since: number | undefined, page: GenerationPageRequest) => Effect.Effect<RecordingPage>,
  never,
  GenerationStore
> = Effect.gen(function* () {
  const store = yield* GenerationStore
  const clock = yield* Clock.Clock
  return (since, page) => {
    // A later page goes on where the last one ended, although the day has moved on.
    const from = since ?? page.after?.startedAt ?? clock.currentTimeMillisUnsafe() - dayMillis
    return Effect.map(store.scan(from, page), ({ next, rows }) => ({
      rows: rows.flatMap((generation) => toRecordedRequest(generation) ?? []),
      ...(next === undefined ? undefined : { next })
    }))
  }
})
