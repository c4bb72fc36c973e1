/** Stores sealed content. A port. */
import * as Context from "effect/Context"
import type * as Effect from "effect/Effect"
import type { SealedSecret } from "../../engine/secrets/Sealer.ts"
import type { GenerationId } from "../../values/ids/GenerationId.ts"
import type { AccountId, KeyHash, WorkspaceId } from "../../values/ids/Ids.ts"
import type { KeptContent } from "./KeptContent.ts"

/** Selects the content of an account; absent fields select all. */
export interface ContentFilter {
  readonly account: AccountId
  readonly workspace?: WorkspaceId
  readonly key?: KeyHash
}

/**
 * Stores sealed content, by the ids of generations. `PersonStore.rename` deletes what belongs to the person, and what it
 * cannot rename.
 *
 * An account keeps at most `Settings.maxKeptContentsPerAccount`; its oldest goes first. A store may exceed that for a
 * while.
 */
export class ContentStore extends Context.Service<
  ContentStore,
  {
    /** All or none. Content that is stored already stays as it is. Race: of several of one id, one is stored. */
    readonly put: (contents: ReadonlyArray<KeptContent>) => Effect.Effect<void>
    /** Those of `ids` that the account has and that have not expired at `now`, in no particular order. */
    readonly list: (
      account: AccountId,
      ids: ReadonlyArray<GenerationId>,
      now: number
    ) => Effect.Effect<ReadonlyArray<KeptContent>>
    /** Deletes what is stored by now; the number. Joins the surrounding transaction. */
    readonly remove: (filter: ContentFilter) => Effect.Effect<number>
    /** Deletes what has expired at `now`, and what accounts have too much of. A store runs it in the background. */
    readonly purge: (now: number) => Effect.Effect<void>
    /** Content of all accounts under another key than `keyId`, in the order of ids: that after `after`, or the first. */
    readonly listToReseal: (
      keyId: string,
      after: KeptContent | undefined,
      limit: number
    ) => Effect.Effect<ReadonlyArray<KeptContent>>
    /** Replaces the seal that `content` has. Race: false when the content was deleted or resealed meanwhile. */
    readonly reseal: (content: KeptContent, after: SealedSecret) => Effect.Effect<boolean>
  }
>()("@signalbox/core/domains/content/ContentStore") {}
