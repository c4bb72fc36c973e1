/** Whether a caller may label the answers of a Decision. */
import { NotPermitted } from "../../tenants/auth/AuthErrors.ts"
import type { Caller } from "../../tenants/auth/Caller.ts"
import { canManageAccount } from "../../tenants/auth/permissions.ts"
import type { Generation } from "../../engine/observability/generations/Generation.ts"

/**
 * Managers of the account may label everything. Others label the Decisions that they asked for, and each of their
 * labels counts alone.
 */
export const findLabelerProblem = (
  caller: Caller,
  asked: Pick<Generation, "askedBy" | "keyHash">,
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
const isOwn = (
  { keyHash, user }: Caller,
  { askedBy, keyHash: askedWith }: Pick<Generation, "askedBy" | "keyHash">
): boolean =>
  askedBy === undefined
    ? keyHash === askedWith && (keyHash !== undefined || user === undefined)
    : user === askedBy
