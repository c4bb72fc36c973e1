/** Who labelled an answer. */
import * as Schema from "effect/Schema"
import type { Generation } from "../../engine/observability/generations/Generation.ts"
import { NotPermitted } from "../../tenants/auth/AuthErrors.ts"
import type { Caller } from "../../tenants/auth/Caller.ts"
import { canManageAccount } from "../../tenants/auth/permissions.ts"
import { optionalText, optionalTrue } from "../../values/schemaFields.ts"
import { mixBits } from "./QuestionHasher.ts"

/** Neither a user nor a key: the application itself, or callers that it authenticates without either. */
export const Labeler = Schema.Struct({
  user: optionalText,
  /** The hash that names a key. */
  key: optionalText,
  /** Whether it managed the account, as management keys and the application do. */
  isManager: optionalTrue
})
export type Labeler = typeof Labeler.Type

export const toLabeler = (caller: Caller): Labeler => ({
  ...(caller.user === undefined ? undefined : { user: caller.user }),
  ...(caller.keyHash === undefined ? undefined : { key: caller.keyHash }),
  ...(canManageAccount(caller) ? { isManager: true } : undefined)
})

/** The same for all keys of a user. */
export const toLabelerKey = ({ isManager, key, user }: Labeler): string =>
  JSON.stringify([isManager === true, ...(user === undefined ? ["key", key] : ["user", user])])

/** An answer and the option that was right. */
export interface LabeledAnswer {
  /** The probabilities of the model, in the order of the options: `[yes, no]` for a yes/no question. */
  readonly probabilities: ReadonlyArray<number>
  /** The position of the right option. */
  readonly label: number
  /** How many answers it stands for: 1 divided by the probability with which it was chosen to be labelled. */
  readonly weight: number
}

/** True for 2 % of all seeds of plans: the same plan has the same draw. */
export const isLabelWanted = (seed: number): boolean =>
  // The plan draws its endpoints from the same seed, so its bits are mixed.
  mixBits(seed ^ salt) / 2 ** 32 < wantedShare

const salt = 0x6c6162ff

const wantedShare = 0.02

/**
 * Managers of the account may label everything. Others label the Decisions that they asked for, and each of their
 * labels counts alone.
 */
export const findLabelerProblem = (
  caller: Caller,
  asked: Pick<Generation, "keyHash" | "user">,
  weight: number
): NotPermitted | undefined => {
  if (canManageAccount(caller)) return undefined
  const { kind } = caller
  if (weight > 1) return new NotPermitted({ kind, needs: "a management key for a weight above 1" })
  return isOwn(caller, asked)
    ? undefined
    : new NotPermitted({ kind, needs: "a management key for the Decision of another caller" })
}

/** A member may use several keys. Records of earlier versions name the key alone. */
export const isOwn = (
  { keyHash, user }: Caller,
  asked: Pick<Generation, "keyHash" | "user">
): boolean =>
  asked.user === undefined
    ? keyHash === asked.keyHash && (keyHash !== undefined || user === undefined)
    : user === asked.user
