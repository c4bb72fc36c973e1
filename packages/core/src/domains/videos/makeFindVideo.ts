/** Finds a video job among those that its reader sees. */
import * as Effect from "effect/Effect"
import { ResourceNotFound } from "../../values/errors/RequestErrors.ts"
import * as VideoJobId from "./VideoJobId.ts"
import { VideoStore } from "./VideoStore.ts"
import type { VideoOwner } from "./Videos.ts"

export const makeFindVideo = Effect.map(VideoStore, (store) =>
  Effect.fnUntraced(function* ({ account, workspace }: VideoOwner, id: string) {
    const found = VideoJobId.is(id) ? yield* store.find(id) : undefined
    return found === undefined ||
      found.account !== account ||
      (workspace !== undefined && found.workspace !== workspace)
      ? yield* new ResourceNotFound({ resource: "video", id })
      : found
  })
)
