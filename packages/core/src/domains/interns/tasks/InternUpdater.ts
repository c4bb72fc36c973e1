/** Updates interns with optimistic locking, and claims them so that one caller at a time calls their host. */
import * as Clock from "effect/Clock"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Struct from "effect/Struct"
import type { Intern, NameTaken } from "../Intern.ts"
import type { InternId } from "../InternId.ts"
import { InternStore } from "../InternStore.ts"
import { ClaimWatch } from "./ClaimWatch.ts"

/** `now` is in milliseconds since the epoch; undefined leaves the intern unchanged. */
type Update = (intern: Intern, now: number) => Intern | undefined

interface ClaimOptions {
  readonly owner: string
  readonly leaseMillis: number
  readonly isEligible: (intern: Intern) => boolean
  /** Applied in the write that claims the intern. */
  readonly onClaim?: (intern: Intern, now: number) => Intern
}

/** Updates interns; a stale write is repeated on the newer version. */
export class InternUpdater extends Context.Service<
  InternUpdater,
  {
    /** The updated intern; undefined when it is unchanged or does not exist. The name must not change. */
    readonly update: (id: InternId, update: Update) => Effect.Effect<Intern | undefined>
    /** Like `update`, for updates that may change the name. */
    readonly updateWithName: (
      id: InternId,
      update: Update
    ) => Effect.Effect<Intern | undefined, NameTaken>
    /**
     * Undefined when another owner has the claim, or the intern is not eligible. The owner may claim again, and others once
     * this process has seen the claim for as long as its lease.
     */
    readonly claim: (id: InternId, options: ClaimOptions) => Effect.Effect<Intern | undefined>
    readonly release: (id: InternId, owner: string) => Effect.Effect<void>
  }
>()("@signalbox/core/domains/interns/tasks/InternUpdater") {
  static readonly layer = Layer.effect(
    InternUpdater,
    Effect.map(InternStore, (store) => {
      const watch = new ClaimWatch()

      const canClaim = (
        { claim, id }: Intern,
        owner: string,
        leaseMillis: number,
        clock: Clock.Clock
      ): boolean =>
        claim === undefined ||
        claim.owner === owner ||
        watch.hasExpired(id, claim, leaseMillis, clock)

      const updateWithName: InternUpdater["Service"]["updateWithName"] = (id, update) =>
        Effect.flatMap(Effect.zip(store.find(id), Clock.currentTimeMillis), ([before, now]) => {
          const changed = before === undefined ? undefined : update(before, now)
          if (before === undefined || changed === undefined) return Effect.succeed(undefined)
          const after: Intern = { ...changed, version: before.version + 1 }
          return Effect.flatMap(store.replace(before.version, after), (isDone) =>
            isDone ? Effect.succeed(after) : updateWithName(id, update)
          )
        })

      const update: InternUpdater["Service"]["update"] = (id, by) =>
        Effect.orDie(updateWithName(id, by))

      return {
        update,
        updateWithName,
        claim: (id, { owner, isEligible, leaseMillis, onClaim }) =>
          Effect.flatMap(Clock.Clock, (clock) =>
            update(id, (intern, now) =>
              isEligible(intern) && canClaim(intern, owner, leaseMillis, clock)
                ? {
                    ...(onClaim?.(intern, now) ?? intern),
                    claim: { owner, expiresAt: now + leaseMillis, leaseMillis }
                  }
                : undefined
            )
          ),
        release: (id, owner) =>
          Effect.asVoid(
            update(id, (intern) =>
              intern.claim?.owner === owner ? removeClaim(intern) : undefined
            )
          )
      }
    })
  )
}

export const removeClaim = (intern: Intern): Intern => Struct.omit(intern, ["claim"])
