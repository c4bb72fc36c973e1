/** Writes to an intern whatever others write to it meanwhile, and lets one at a time call its host. */
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import * as Struct from "effect/Struct"
import type { Intern } from "./Intern.ts"
import type { NameTaken } from "./InternErrors.ts"
import type { InternId } from "./InternId.ts"
import { InternStore } from "./InternStore.ts"

/** What an intern becomes at this time, in milliseconds since the epoch; undefined: it stays. */
type Change = (intern: Intern, now: number) => Intern | undefined

export const changing = Effect.gen(function* () {
  const store = yield* InternStore

  /** As it is then; undefined when it stays, or is not there. */
  const changeNamed = (
    id: InternId,
    change: Change
  ): Effect.Effect<Intern | undefined, NameTaken> =>
    Effect.flatMap(Effect.zip(store.find(id), Clock.currentTimeMillis), ([before, now]) => {
      const changed = before === undefined ? undefined : change(before, now)
      if (before === undefined || changed === undefined) return Effect.succeed(undefined)
      const after = { ...changed, turn: before.turn + 1 }
      return Effect.flatMap(store.replace(before.turn, after), (isDone) =>
        isDone ? Effect.succeed(after) : changeNamed(id, change)
      )
    })

  /** Its name stays, so it clashes with nobody. */
  const change = (id: InternId, by: Change) => Effect.orDie(changeNamed(id, by))

  return {
    changeNamed,
    change,
    /**
     * Undefined when somebody else has it, or it is not as `isMeant` says: whoever asks again under one name
     * has it again.
     */
    claim: (
      id: InternId,
      { by, isMeant, millis, to }: Claiming
    ): Effect.Effect<Intern | undefined> =>
      change(id, (intern, now) =>
        isMeant(intern) && isFree(intern, by, now)
          ? { ...(to?.(intern, now) ?? intern), claim: { by, until: now + millis } }
          : undefined
      ),
    release: (id: InternId, by: string): Effect.Effect<void> =>
      Effect.asVoid(
        change(id, (intern) => (intern.claim?.by === by ? unclaimed(intern) : undefined))
      )
  }
})

interface Claiming {
  readonly by: string
  readonly millis: number
  readonly isMeant: (intern: Intern) => boolean
  /** What else becomes of it then. */
  readonly to?: (intern: Intern, now: number) => Intern
}

const isFree = ({ claim }: Intern, by: string, now: number): boolean =>
  claim === undefined || claim.by === by || claim.until <= now

export const unclaimed = (intern: Intern): Intern => Struct.omit(intern, ["claim"])
