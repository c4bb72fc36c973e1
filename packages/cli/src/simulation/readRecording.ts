/** Reads a recording from files, or from a running instance. */
import { parseRecordedRequest, RecordedRequest } from "@signalbox/core/simulator"
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import { type Line, readLines } from "../files/readLines.ts"
import { getJson } from "../instance/askInstance.ts"
import type { Instance } from "../instance/instanceFlags.ts"
import { showProgress } from "../output/progress.ts"
import { usageError } from "../usageError.ts"

/** `model`: of requests that name none. */
export const readRecordingFiles = Effect.fnUntraced(function* (
  paths: ReadonlyArray<string>,
  model: string | undefined
) {
  const recording: Array<RecordedRequest> = []
  for (const path of paths) {
    yield* Effect.tryPromise({
      try: async () => {
        let requests = 0
        for await (const line of readLines(path)) {
          recording.push(parseLine(path, line, model))
          requests += 1
          if (requests % 1_000 === 0) showProgress(`Reading ${path}: ${requests} requests`)
        }
      },
      catch: (error) =>
        usageError(
          error instanceof RangeError
            ? error.message
            : `Could not read ${path}: ${error instanceof Error ? error.message : String(error)}`,
          error
        )
    })
  }
  return recording
})

const parseLine = (
  path: string,
  { number, text }: Line,
  model: string | undefined
): RecordedRequest => {
  try {
    return parseRecordedRequest(text, model)
  } catch (error) {
    if (!(error instanceof RangeError)) throw error
    throw new RangeError(`${path}, line ${number}: ${error.message}`)
  }
}

const Page = Schema.Struct({
  data: Schema.Array(RecordedRequest),
  next_cursor: Schema.optionalKey(Schema.String)
})

/** Page by page; `since` undefined: the last day. */
export const downloadRecording = Effect.fnUntraced(function* (
  instance: Instance,
  since: Date | undefined
) {
  const recording: Array<RecordedRequest> = []
  let cursor: string | undefined
  do {
    const parameters = { since: since?.toISOString(), limit: "1000", starting_after: cursor }
    const page: typeof Page.Type = yield* getJson(
      instance,
      "/signalbox/recording",
      parameters,
      Page
    )
    recording.push(...page.data)
    showProgress(`Reading ${instance.url}: ${recording.length} requests`)
    cursor = page.next_cursor
  } while (cursor !== undefined)
  return recording
})
