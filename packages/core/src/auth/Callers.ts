/** Makes callers of what a host writes: checks every field, and finds the workspace. */
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { defaultAccountId } from "../values/AccountId.ts"
import * as NanoUsd from "../values/NanoUsd.ts"
import { InvalidRequest } from "../values/RequestErrors.ts"
import { Workspaces } from "../workspaces/Workspaces.ts"
import { NoWorkspace } from "./AuthErrors.ts"
import { type Caller, host } from "./Caller.ts"
import { type CallerConfig, checkCaller, type CheckedCaller } from "./CallerConfig.ts"
import type { KeyLimit } from "./KeyLimit.ts"

/** Checks callers that a host writes, and finds their workspace. */
export class Callers extends Context.Service<
  Callers,
  {
    /** `kind` is what a caller is that does not say it. */
    readonly resolve: (
      config: CallerConfig,
      kind: NonNullable<CallerConfig["kind"]>
    ) => Effect.Effect<Caller, InvalidRequest | NoWorkspace>
  }
>()("@signalbox/core/auth/Callers") {
  static readonly layer: Layer.Layer<Callers, never, Workspaces> = Layer.effect(
    Callers,
    Effect.gen(function* () {
      const workspaces = yield* Workspaces
      return {
        resolve: Effect.fnUntraced(function* (config, kind) {
          const { account = defaultAccountId, ...checked } = yield* Effect.fromResult(
            checkCaller(config, kind)
          )
          const workspace = yield* workspaces.idOf({ account }, checked.workspace)
          if (workspace === undefined) {
            return yield* new NoWorkspace({ account, workspace: checked.workspace ?? "default" })
          }
          const { canManage, keyHash, ownRateLimit, rateLimit, user } = checked
          const limit = limitOf(checked)
          return {
            account,
            workspace,
            kind: checked.kind,
            ...(canManage === true ? { canManage } : undefined),
            ...(user === undefined ? undefined : { user }),
            ...(keyHash === undefined ? undefined : { keyHash }),
            ...(limit === undefined ? undefined : { limit }),
            ...(rateLimit === undefined ? undefined : { rateLimit }),
            ...(ownRateLimit === undefined ? undefined : { ownRateLimit })
          }
        })
      }
    })
  )
}

/** The caller of a call in process; default: the application itself. What is wrong with it is an `InvalidRequest`. */
export const resolveCaller: (
  config: CallerConfig | undefined
) => Effect.Effect<Caller, InvalidRequest, Callers> = (config) =>
  config === undefined
    ? Effect.succeed(host)
    : Callers.use(({ resolve }) =>
        Effect.mapError(resolve(config, "host"), (error) =>
          error._tag === "InvalidRequest"
            ? new InvalidRequest({ path: ["caller", ...error.path], problem: error.problem })
            : new InvalidRequest({ path: ["caller", "workspace"], problem: error.message })
        )
      )

const limitOf = ({
  includeByokInLimit = false,
  limit,
  limitReset = null
}: CheckedCaller): KeyLimit | undefined => {
  if (limit === undefined || limit === null) return undefined
  return typeof limit === "object"
    ? limit
    : { cap: NanoUsd.fromUsdNumber(limit), reset: limitReset, includesByok: includeByokInLimit }
}
