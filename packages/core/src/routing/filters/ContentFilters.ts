/** Applies the content filters of guardrails to requests. */
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import type { TextEdits, TextSlots } from "../../engine/filters/TextSlot.ts"
import type { NotPermitted } from "../../tenants/auth/AuthErrors.ts"
import type { Caller } from "../../tenants/auth/Caller.ts"
import { requireModelAccess } from "../../tenants/auth/permissions.ts"
import { hasFilters } from "../../tenants/guardrails/ContentFilter.ts"
import type { Guardrail } from "../../tenants/guardrails/Guardrail.ts"
import { Guardrails } from "../../tenants/guardrails/Guardrails.ts"
import { isSuccess } from "../../values/eager.ts"
import { loadOnce } from "../../values/layerOnDemand.ts"
import * as Step from "../../values/Step.ts"
import type { RequestLabels } from "../record/toGeneration.ts"
import type { RouteObserver } from "../RouteQuery.ts"
import { type AskDecision, CheckFailed, ContentChecks } from "./ContentCheck.ts"
import type { FilterReport } from "./FilterReport.ts"

/** The texts of one kind of request. */
export interface ScreenedTexts<Parsed> {
  readonly addTexts: (parsed: Parsed, slots: TextSlots) => void
  /** The same request with other texts. */
  readonly edit: (parsed: Parsed, edits: TextEdits) => Parsed
}

/** A request that may have been screened. */
export interface Screenable {
  readonly request: RequestLabels
  /** What content filters found; absent: nothing, or there are none. */
  readonly filtered?: FilterReport
}

/** Screens requests by the guardrails of their callers. What it needs is loaded with the first filter. */
export class ContentFilters extends Context.Service<
  ContentFilters,
  {
    /** Whether nothing is to be done, which costs nothing. False: `screen` knows. */
    readonly isIdle: (caller: Caller) => boolean
    /** The request as it may be sent, with a report if there is one; `loadTexts` loads what knows its form. */
    readonly screen: <Parsed extends Screenable>(
      caller: Caller,
      parsed: Parsed,
      loadTexts: () => Effect.Effect<ScreenedTexts<Parsed>>,
      /** The `x-request-id` of the request; absent: it has none. */
      requestId?: string
    ) => Effect.Effect<Parsed>
    /** Says who asks models for checks. Decisions are screened too, so they are connected once both are there. */
    readonly connectDecisions: (ask: AskDecision) => void
  }
>()("@signalbox/core/routing/filters/ContentFilters") {
  static readonly layer = Layer.effect(
    ContentFilters,
    Effect.gen(function* () {
      const guardrails = yield* Guardrails
      const checks = yield* ContentChecks
      const load = loadOnce(() => import("./screenRequest.ts"))
      let askDecision = failUnconnected

      return {
        isIdle: (caller) => {
          const listing = guardrails.listEffective(caller)
          return isSuccess(listing) && !areFiltering(listing.value)
        },
        connectDecisions: (ask) => (askDecision = ask),
        screen: (caller, parsed, loadTexts, requestId) =>
          Step.flatMap(guardrails.listEffective(caller), (effective) =>
            areFiltering(effective)
              ? Step.flatMap(load(), ({ screenRequest }) =>
                  Step.flatMap(loadTexts(), (texts) =>
                    screenRequest({
                      asking: { caller, checks, labels: parsed.request, requestId, askDecision },
                      effective,
                      parsed,
                      texts
                    })
                  )
                )
              : Effect.succeed(parsed)
          )
      }
    })
  )
}

const failUnconnected: AskDecision = () => Effect.fail(new CheckFailed({ reason: "NotConnected" }))

const areFiltering = (guardrails: ReadonlyArray<Guardrail>): boolean => {
  for (let at = 0; at < guardrails.length; at++) if (hasFilters(guardrails[at]!)) return true
  return false
}

type Run<Parsed, A, E, R> = (
  caller: Caller,
  parsed: Parsed,
  listener: RouteObserver | undefined
) => Effect.Effect<A, E, R>

/** Runs requests as their filters leave them, of callers that may run models. */
export const screenBefore =
  <Parsed extends Screenable, A, E, R>(
    { isIdle, screen }: ContentFilters["Service"],
    loadTexts: () => Effect.Effect<ScreenedTexts<Parsed>>,
    run: Run<Parsed, A, E, R>
  ): Run<Parsed, A, E | NotPermitted, R> =>
  (caller, parsed, listener) =>
    Step.flatMap(requireModelAccess(caller), () =>
      isIdle(caller)
        ? run(caller, parsed, listener)
        : Step.flatMap(screen(caller, parsed, loadTexts, listener?.requestId), (screened) =>
            run(caller, screened, listener)
          )
    )
