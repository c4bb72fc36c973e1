/** What a caller may do: which operations it may call, and whose resources it reaches. */
import * as Effect from "effect/Effect"
import * as Struct from "effect/Struct"
import { NotPermitted, Unauthenticated } from "./AuthErrors.ts"
import type { Caller } from "./Caller.ts"
import { defaultAccountId } from "../../values/ids/Ids.ts"

/**
 * The callers that an operation serves:
 *
 * - `anyone`: also callers without a key, who are not authenticated
 * - `workspace`: keys of a workspace
 * - `model`: callers that may run models
 * - `member`: the same, but a management key is rejected as an unknown key
 * - `management`: callers that manage the account
 * - `operator`: the same, in the host's own account
 */
export type CallerRequirement =
  | "anyone"
  | "any"
  | "workspace"
  | "model"
  | "member"
  | "management"
  | "operator"

/** The application itself always can. */
export const canManageAccount = ({
  canManage,
  kind
}: Pick<Caller, "canManage" | "kind">): boolean =>
  kind === "management" || kind === "host" || canManage === true

/** Without `workspace`: every workspace of the account. */
export type ResourceOwner = Omit<Caller, "workspace"> & Partial<Pick<Caller, "workspace">>

/**
 * Whose resources a caller reads by id: with a management key the account's, otherwise its workspace's. The application
 * acts in the workspace that its call names.
 */
export const toResourceOwner = (caller: Caller): ResourceOwner =>
  caller.kind !== "host" && canManageAccount(caller) ? Struct.omit(caller, ["workspace"]) : caller

/** Only the host's own account sees data of all accounts. */
export const isOperator = ({ account, kind }: Caller): boolean =>
  account === defaultAccountId || kind === "host"

export const checkCaller = (
  requirement: CallerRequirement,
  caller: Caller
): NotPermitted | Unauthenticated | undefined => {
  const { kind } = caller
  switch (requirement) {
    case "anyone":
    case "any":
      return undefined
    case "workspace":
      return kind === "management"
        ? new NotPermitted({ kind, needs: "a key of a workspace" })
        : undefined
    case "model":
      return findModelProblem(caller)
    case "member":
      return kind === "management" ? new Unauthenticated({ reason: "management_key" }) : undefined
    case "management":
      return canManageAccount(caller)
        ? undefined
        : new NotPermitted({ kind, needs: "a management key" })
    case "operator":
      if (!canManageAccount(caller)) return new NotPermitted({ kind, needs: "a management key" })
      return isOperator(caller)
        ? undefined
        : new NotPermitted({ kind, needs: "a management key of the host's own account" })
  }
}

const findModelProblem = ({ kind }: Caller): NotPermitted | undefined =>
  kind === "management"
    ? new NotPermitted({ kind, needs: "a member or organization key" })
    : undefined

/** Fails for management keys, which run no models. */
export const requireModelAccess = (caller: Caller): Effect.Effect<void, NotPermitted> => {
  const problem = findModelProblem(caller)
  return problem === undefined ? Effect.void : Effect.fail(problem)
}
