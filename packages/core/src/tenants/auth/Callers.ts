/** Makes callers from `CallerConfig`: validates every field and finds the workspace. */
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Result from "effect/Result"
import { ExpiringCache } from "../../values/ExpiringCache.ts"
import { type AccountId, WorkspaceId, defaultAccountId } from "../../values/ids/Ids.ts"
import { omitUndefined } from "../../values/ownFields.ts"
import * as NanoUsd from "../../values/usage/NanoUsd.ts"
import { InvalidRequest } from "../../values/errors/RequestErrors.ts"
import { Workspaces } from "../workspaces/Workspaces.ts"
import { type CustomerRefused, WorkspaceNotFound } from "./AuthErrors.ts"
import { CurrentBundles, findBundle } from "./bundles/Bundle.ts"
import { type Caller, hostCaller } from "./Caller.ts"
import { type CallerConfig, validateCaller, type ValidatedCaller } from "./CallerConfig.ts"
import type { KeyLimit } from "./keys/KeyLimit.ts"
import * as Step from "../../values/Step.ts"

/** Validates callers and finds their workspace. */
export class Callers extends Context.Service<
  Callers,
  {
    /** `kind` is the default kind. */
    readonly resolve: (
      config: CallerConfig,
      kind: NonNullable<CallerConfig["kind"]>
    ) => Effect.Effect<Caller, CustomerRefused | InvalidRequest | WorkspaceNotFound>
  }
>()("@signalbox/core/tenants/auth/Callers") {
  static readonly layer = Layer.effect(
    Callers,
    Effect.gen(function* () {
      const bundles = yield* CurrentBundles
      const workspaces = yield* Workspaces
      const intern = makeCallerInterner()
      return {
        resolve: (config, kind) => {
          const validating = validateCaller(config, kind)
          if (Result.isFailure(validating)) return Effect.fail(validating.failure)
          const { account = defaultAccountId, ...validated } = validating.success
          return Step.flatMap(
            workspaces.find({ account }, validated.workspace),
            (workspace): Effect.Effect<Caller, CustomerRefused | WorkspaceNotFound> => {
              if (workspace === undefined) {
                return Effect.fail(
                  new WorkspaceNotFound({ account, workspace: validated.workspace ?? "default" })
                )
              }
              const id = WorkspaceId.make(workspace.id)
              return workspace.customer === undefined
                ? Effect.succeed(intern(toCaller(account, id, validated)))
                : Step.map(findBundle(bundles, workspace), (bundle) =>
                    intern({
                      ...toCaller(account, id, validated),
                      ...(bundle === undefined ? undefined : { bundle })
                    })
                  )
            }
          )
        }
      }
    })
  )
}

const toCaller = (
  account: AccountId,
  workspace: WorkspaceId,
  validated: ValidatedCaller & Pick<Caller, "kind">
): Caller => {
  const { canManage, keyHash, kind, ownRateLimit, rateLimit, tags = {}, user } = validated
  const { grantedLimit, maxParallelRequests, ownMaxParallelRequests, rateOwner } = validated
  const { ownTokenRateLimit, tokenRateLimit } = validated
  return {
    account,
    workspace,
    kind,
    ...(canManage === true ? { canManage } : undefined),
    ...(Object.keys(tags).length === 0 ? undefined : { tags }),
    ...omitUndefined({
      user,
      keyHash,
      limit: toKeyLimit(validated),
      grantedLimit,
      rateOwner,
      rateLimit,
      ownRateLimit,
      tokenRateLimit,
      ownTokenRateLimit,
      maxParallelRequests,
      ownMaxParallelRequests
    })
  }
}

const maxCallers = 10_000

/**
 * Gives callers with equal fields one object, so that values memoized for a caller serve all of its requests.
 * Remembers the most recent callers.
 */
export const makeCallerInterner = (): ((caller: Caller) => Caller) => {
  const callers = new ExpiringCache<string, Caller>(maxCallers, Infinity)
  return (caller) => {
    const key = toKey(caller)
    const known = callers.get(key, 0)
    if (known !== undefined) return known
    callers.set(key, caller, 0)
    return caller
  }
}

/** JSON has no bigints, and a process has one bundle of a name. */
const toKey = (caller: Caller): string => {
  const { bundle, limit } = caller
  if (bundle === undefined && limit === undefined) return JSON.stringify(caller)
  return JSON.stringify({
    ...caller,
    limit: limit === undefined ? undefined : { ...limit, cap: String(limit.cap) },
    bundle: bundle?.name
  })
}

/** The caller of a call in process, by default the application itself. */
export const resolveCaller = (
  config: CallerConfig | undefined
): Effect.Effect<Caller, CustomerRefused | InvalidRequest, Callers> =>
  Callers.use((callers) => resolveCallerWith(callers, config))

/** `resolveCaller` that begins when it is called. */
export const resolveCallerWith = (
  { resolve }: Callers["Service"],
  config: CallerConfig | undefined
): Effect.Effect<Caller, CustomerRefused | InvalidRequest> =>
  config === undefined
    ? Effect.succeed(hostCaller)
    : Step.mapError(resolve(config, "host"), toInProcessError)

const toInProcessError = (
  error: CustomerRefused | InvalidRequest | WorkspaceNotFound
): CustomerRefused | InvalidRequest => {
  switch (error._tag) {
    case "InvalidRequest":
      return new InvalidRequest({ path: ["caller", ...error.path], problem: error.problem })
    case "WorkspaceNotFound":
      return new InvalidRequest({ path: ["caller", "workspace"], problem: error.message })
    case "BundleUnknown":
    case "CustomerSuspended":
      return error
  }
}

const toKeyLimit = ({
  includeByokInLimit = false,
  limit,
  limitReset = null
}: ValidatedCaller): KeyLimit | undefined => {
  if (limit === undefined || limit === null) return undefined
  return typeof limit === "object"
    ? limit
    : { cap: NanoUsd.fromUsdNumber(limit), reset: limitReset, includesByok: includeByokInLimit }
}
