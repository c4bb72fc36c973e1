/** Writes to an intern whatever others write to it meanwhile, and lets one at a time call its host. */
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import * as Struct from "effect/Struct"
import type { Intern } from "../Intern.ts"
import type { NameTaken } from "../InternErrors.ts"
import type { InternId } from "../InternId.ts"
import { InternStore } from "../InternStore.ts"

/** What an intern becomes at this time, in milliseconds since the epoch; undefined: it stays. */
type Modification = (intern: Intern, now: number) => Intern | undefined

export const makeInternUpdater = Effect.gen(function* () {
  const store = yield* InternStore

  /** As it is then; undefined when it stays, or is not there. */
  const modifyWithName = (
    id: InternId,
    modification: Modification
  ): Effect.Effect<Intern | undefined, NameTaken> =>
    Effect.flatMap(Effect.zip(store.find(id), Clock.currentTimeMillis), ([before, now]) => {
      const changed = before === undefined ? undefined : modification(before, now)
      if (before === undefined || changed === undefined) return Effect.succeed(undefined)
      const after = { ...changed, version: before.version + 1 }
      return Effect.flatMap(store.replace(before.version, after), (isDone) =>
        isDone ? Effect.succeed(after) : modifyWithName(id, modification)
      )
    })

  /** Its name stays, so it clashes with nobody. */
  const modify = (id: InternId, by: Modification) => Effect.orDie(modifyWithName(id, by))

  return {
    changeNamed: modifyWithName,
    change: modify,
    /**
     * Undefined when somebody else has it, or it is not as `isMeant` says: whoever asks again under one name
     * has it again.
     */
    claim: (
      id: InternId,
      { owner, isEligible, leaseMillis, onClaim }: ClaimOptions
    ): Effect.Effect<Intern | undefined> =>
      modify(id, (intern, now) =>
        isEligible(intern) && canClaim(intern, owner, now)
          ? {
              ...(onClaim?.(intern, now) ?? intern),
              claim: { owner, expiresAt: now + leaseMillis }
            }
          : undefined
      ),
    release: (id: InternId, by: string): Effect.Effect<void> =>
      Effect.asVoid(
        modify(id, (intern) => (intern.claim?.owner === by ? removeClaim(intern) : undefined))
      )
  }
})

interface ClaimOptions {
  readonly owner: string
  readonly leaseMillis: number
  readonly isEligible: (intern: Intern) => boolean
  /** What else becomes of it then. */
  readonly onClaim?: (intern: Intern, now: number) => Intern
}

const canClaim = ({ claim }: Intern, by: string, now: number): boolean =>
  claim === undefined || claim.owner === by || claim.expiresAt <= now

export const removeClaim = (intern: Intern): Intern => Struct.omit(intern, ["claim"])
