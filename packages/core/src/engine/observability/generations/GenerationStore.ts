/** Stores generation records. A port. */
import * as Context from "effect/Context"
import type * as Effect from "effect/Effect"
import type { GenerationId } from "../../../values/ids/GenerationId.ts"
import type { AccountId } from "../../../values/ids/Ids.ts"
import type { Generation } from "./Generation.ts"
import type { GenerationFilter, GenerationPage, GenerationPageRequest } from "./GenerationFilter.ts"
import type { SessionFilter, SessionPage, SessionPageRequest } from "./SessionSummary.ts"

/** Stores generation records. */
export class GenerationStore extends Context.Service<
  GenerationStore,
  {
    /** Whether a request is answered only when its record is stored. Default false. */
    readonly storesBeforeAnswers?: boolean
    /**
     * Stores generations, each of which may have been stored before, and adds the new ones to the `RollupStore`. Each id occurs
     * only once. When it fails, it is called again for each of several.
     */
    readonly record: (generations: ReadonlyArray<Generation>) => Effect.Effect<void>
    /** Undefined for a generation of another account. */
    readonly find: (account: AccountId, id: GenerationId) => Effect.Effect<Generation | undefined>
    /** The cost must not grow with the number of records outside the time of the filter. */
    readonly list: (
      filter: GenerationFilter,
      page: GenerationPageRequest
    ) => Effect.Effect<GenerationPage>
    /**
     * Sums up the requests of the filter by their sessions, the session with the latest request first. Requests without a
     * session do not count. The cost must not grow with the number of records outside the time of the filter.
     */
    readonly listSessions: (
      filter: SessionFilter,
      page: SessionPageRequest
    ) => Effect.Effect<SessionPage>
    /**
     * Lists the generations of all accounts whose requests began at `from` (milliseconds since the epoch) or later, the
     * oldest first. Records written between two pages may be missed. The cost must not grow with the number of older
     * records.
     */
    readonly scan: (from: number, page: GenerationPageRequest) => Effect.Effect<GenerationPage>
  }
>()("@signalbox/core/engine/observability/generations/GenerationStore") {}
