/** Removes the cached answers of keys that are removed or rotated, and of workspaces that are deleted. */
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import {
  type CachedAnswerFilter,
  ResponseCacheStore
} from "../../engine/cache/ResponseCacheStore.ts"
import { ApiKeys } from "../../tenants/auth/keys/ApiKeys.ts"
import { Workspaces } from "../../tenants/workspaces/Workspaces.ts"

/** Answers expire anyhow, so a cache that is down keeps no key and no workspace from being removed. */
export const layerForgetAnswers = Layer.effectDiscard(
  Effect.gen(function* () {
    const store = yield* ResponseCacheStore
    const keys = yield* ApiKeys
    const workspaces = yield* Workspaces
    const forget = (filter: CachedAnswerFilter): Effect.Effect<void> =>
      Effect.catchCause(Effect.asVoid(store.removeAll(filter)), (cause) =>
        Effect.logWarning(
          "cached answers could not be removed, and are kept until they expire",
          cause
        )
      )
    yield* keys.onRotate(({ account }, keyHash) => forget({ account, keyHash }))
    // After the commit: a request that is under way may still store its answer.
    yield* keys.onRemove(({ account }, hashes) =>
      Effect.succeed(
        Effect.forEach(hashes, (keyHash) => forget({ account, keyHash }), { discard: true })
      )
    )
    yield* workspaces.onWorkspaceDelete(({ account }, workspace) =>
      Effect.succeed(forget({ account, workspace }))
    )
  })
)
