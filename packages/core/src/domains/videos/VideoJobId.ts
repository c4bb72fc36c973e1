/** Ids of video jobs: `gen-vid-<unix seconds>-<20 alphanumerics>`. */
import type * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import { generateId } from "../../values/ids/generateId.ts"

/** The id of a video job. */
export const VideoJobId = Schema.String.check(
  Schema.isPattern(/^gen-vid-[0-9]+-[0-9A-Za-z]{20}$/, { expected: "the id of a video job" })
).pipe(Schema.brand("VideoJobId"))
export type VideoJobId = typeof VideoJobId.Type

export const is = Schema.is(VideoJobId)

export const next: Effect.Effect<VideoJobId> = generateId("gen-vid", (id) => VideoJobId.make(id))
