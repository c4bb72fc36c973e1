/** Handlers of the recording operations. */
import * as Effect from "effect/Effect"
import { toMillis } from "../contract/queryParameters.ts"
import type { Handlers } from "../operation/Handler.ts"
import { encodeGenerationCursor, parseGenerationCursor } from "../contract/pageQueries.ts"
import { omitUndefined } from "../../values/ownFields.ts"
import { makeRecordingReader } from "../../domains/simulator/recording/makeRecordingReader.ts"
import type { RecordingsApi } from "./RecordingsApi.ts"

export const recordingsHandlers = Effect.map(
  makeRecordingReader,
  (read): Handlers<typeof RecordingsApi> => ({
    list: ({ query: { limit, since, starting_after } }) => {
      const after = parseGenerationCursor(starting_after ?? "")
      return Effect.map(
        read(toMillis(since), { limit, ...omitUndefined({ after }) }),
        ({ next, rows }) => ({
          data: rows,
          has_more: next !== undefined,
          ...(next === undefined ? undefined : { next_cursor: encodeGenerationCursor(next) })
        })
      )
    }
  })
)
