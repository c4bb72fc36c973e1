/** Who may not be erased, because the law says so. */
import * as Context from "effect/Context"
import * as Data from "effect/Data"
import { constFalse } from "effect/Function"

/** A person as a host names one: an acting user, or the `user` of requests. */
interface HeldPerson {
  readonly account: string
  /** Absent: it is an external user. */
  readonly user?: string
  /** Absent: it is an acting user. */
  readonly externalUser?: string
}

/** True for a person whose records must be kept for now. */
export type LegalHoldRule = (person: HeldPerson) => boolean | Promise<boolean>

/** The rule of the host; by default no records are held. */
export const LegalHold: Context.Reference<LegalHoldRule> = Context.Reference(
  "@signalbox/core/domains/people/LegalHold",
  { defaultValue: (): LegalHoldRule => constFalse }
)

/** The records of the person are held; they were not erased. */
export class PersonHeld extends Data.TaggedError("PersonHeld")<{}> {}
