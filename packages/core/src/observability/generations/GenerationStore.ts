/** Stores generation records. A port. */
import * as Context from "effect/Context"
import type * as Effect from "effect/Effect"
import type { AccountId } from "../../values/ids/AccountId.ts"
import type { GenerationId } from "../../values/ids/GenerationId.ts"
import type { Generation } from "./Generation.ts"

/** Stores generation records. */
export class GenerationStore extends Context.Service<
  GenerationStore,
  {
    readonly record: (generation: Generation) => Effect.Effect<void>
    /** Undefined for a generation of another account. */
    readonly find: (account: AccountId, id: GenerationId) => Effect.Effect<Generation | undefined>
  }
>()("@signalbox/core/observability/generations/GenerationStore") {}
