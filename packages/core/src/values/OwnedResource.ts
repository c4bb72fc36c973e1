/** The service of a kind of resource that accounts own. */
import type * as Effect from "effect/Effect"
import type { Actor } from "./Actor.ts"
import type { QuotaExceeded } from "./enforceQuota.ts"
import type { InvalidRequest, ResourceNotFound } from "./errors/RequestErrors.ts"
import type { OffsetPage, OffsetRequest } from "./pages/OffsetPage.ts"

/**
 * A resource of another account is not found. `Filter` and `Removal` are the queries of the list and of the deletion,
 * `Created` is what only its creation returns. Failed changes change nothing, and all others are in the audit log.
 */
export interface OwnedResource<
  Row,
  New,
  Patch,
  Filter = WorkspaceFilter,
  Created = Row,
  Removal = unknown
> {
  readonly get: (actor: Actor, id: string) => Effect.Effect<Row, ResourceNotFound>
  readonly list: (
    actor: Actor,
    filter: Filter,
    page: OffsetRequest
  ) => Effect.Effect<OffsetPage<Row>, InvalidRequest>
  readonly create: (
    actor: Actor,
    config: New
  ) => Effect.Effect<Created, InvalidRequest | QuotaExceeded>
  readonly update: (
    actor: Actor,
    id: string,
    patch: Patch
  ) => Effect.Effect<Row, InvalidRequest | ResourceNotFound>
  readonly remove: (
    actor: Actor,
    id: string,
    removal?: Removal
  ) => Effect.Effect<void, InvalidRequest | ResourceNotFound>
}

/** Selects resources of a workspace. */
export interface WorkspaceFilter {
  /** An id or slug; absent: the default workspace. */
  readonly workspace_id?: string
}
