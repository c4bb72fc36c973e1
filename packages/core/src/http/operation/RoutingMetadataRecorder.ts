/** How a request was routed, told to a caller that asks for it by header. Source: semantics A9. */
import type * as Headers from "effect/http/Headers"
import type * as HttpServerResponse from "effect/http/HttpServerResponse"
import type { RouteAttempt } from "../../routing/attempt/RouteAttempt.ts"
import { isByok } from "../../routing/Candidate.ts"
import { type Explanation, toExplanation } from "../../routing/Explanation.ts"
import type { RouteObserver, PlannedRoute } from "../../routing/RouteQuery.ts"
import type { GenerationId } from "../../values/ids/GenerationId.ts"
import type { ErrorResponse } from "../errors/ErrorResponse.ts"
import { renderError } from "../errors/renderError.ts"

/** Ours and the reference's name. */
const metadataHeaders = ["x-signalbox-metadata", "x-openrouter-metadata"]

/** Anything but `enabled` is off. */
const isMetadataRequested = (headers: Headers.Headers): boolean =>
  metadataHeaders.some((name) => headers[name]?.trim().toLowerCase() === "enabled")

/** What one request came to, noted while it is served. */
export class RoutingMetadataRecorder implements RouteObserver {
  readonly #isWanted: boolean
  readonly #attempts: Array<RouteAttempt> = []
  #requested: string | undefined
  #planned: PlannedRoute | undefined
  #id: GenerationId | undefined

  constructor(headers: Headers.Headers) {
    this.#isWanted = isMetadataRequested(headers)
  }

  /** `model` as the request names it; undefined where it leaves that to its workspace. */
  observeModel(model: string | undefined): RouteObserver {
    this.#requested = model
    return this
  }

  onRecordId(id: GenerationId): void {
    this.#id = id
  }

  onPlan(planned: PlannedRoute): void {
    this.#planned = planned
  }

  onAttempt(attempted: RouteAttempt): void {
    this.#attempts.push(attempted)
  }

  /** Under our name and the reference's; nothing before the request was planned, or to who did not ask for it. */
  toMetadata(): Readonly<Record<string, unknown>> | undefined {
    if (!this.#isWanted || this.#planned === undefined) return undefined
    const explanation = toExplanation(this.#planned)
    const metadata = toRoutingMetadata({
      requested: this.#requested ?? explanation.models[0] ?? "",
      explanation,
      attempts: this.#attempts
    })
    return { service_metadata: metadata, openrouter_metadata: metadata }
  }

  /** The answer with what is told beside it. */
  addMetadata<A extends object>(answer: A): A {
    const told = this.toMetadata()
    return told === undefined ? answer : { ...answer, ...told }
  }

  /** The refusal with what is told beside it, and under which id its record is found, if there is one. */
  renderError(refusal: ErrorResponse): HttpServerResponse.HttpServerResponse {
    const headers =
      this.#id === undefined
        ? undefined
        : { headers: { ...refusal.headers, "x-generation-id": this.#id } }
    return renderError({ ...refusal, ...headers }, this.toMetadata())
  }
}

interface RoutingMetadataInput {
  /** The model as the request named it. */
  readonly requested: string
  readonly explanation: Explanation
  readonly attempts: ReadonlyArray<RouteAttempt>
}

/** The object itself; it names endpoints and rules, never content, keys or prices paid. */
const toRoutingMetadata = ({ attempts, explanation, requested }: RoutingMetadataInput) => {
  const served = attempts.findIndex(isServed)
  const selected = served === -1 ? undefined : attempts[served]?.candidate
  const { ordered, rejected, relax } = explanation
  return {
    requested,
    strategy: toStrategy(requested, explanation.models),
    region: null,
    summary: toSummary(explanation, attempts, served),
    // 1-based; 0 says that nobody answered.
    attempt: served + 1,
    is_byok: selected !== undefined && isByok(selected),
    endpoints: {
      total: ordered.length + rejected.length,
      available: ordered.map(({ credential, endpoint, model, provider }) => ({
        provider,
        model,
        selected: endpoint === selected?.endpoint.id && credential === selected.credential?.id,
        ...toByokFlag(credential)
      }))
    },
    attempts: attempts.map(({ candidate, failure }) => ({
      provider: candidate.providerName,
      model: candidate.endpoint.model,
      status: failure === undefined ? 200 : (failure.status ?? 0),
      ...(isByok(candidate) ? { is_byok: true } : undefined),
      ...(failure === undefined ? undefined : { error: failure.kind })
    })),
    ordered_by: explanation.strategy,
    demoted: ordered.flatMap(({ credential, demoted, endpoint }) =>
      demoted === undefined ? [] : [{ endpoint, ...toByokFlag(credential), reasons: demoted }]
    ),
    dropped_parameters: ordered.flatMap(({ credential, dropped, endpoint }) =>
      dropped === undefined ? [] : [{ endpoint, ...toByokFlag(credential), parameters: dropped }]
    ),
    rejected: rejected.map(({ credential, endpoint, reasons }) => ({
      endpoint,
      ...toByokFlag(credential),
      reasons
    })),
    ...(relax === undefined ? undefined : { relax })
  }
}

const toByokFlag = (credential: string | undefined) =>
  credential === undefined ? undefined : { is_byok: true }

const isServed = ({ abortReason, failure }: RouteAttempt): boolean =>
  failure === undefined && abortReason === undefined

const toStrategy = (requested: string, models: ReadonlyArray<string>): string => {
  if (models.length > 1) return "fallback"
  return requested.startsWith("~") ? "latest" : "direct"
}

const toSummary = (
  { ordered, rejected, strategy }: Explanation,
  attempts: ReadonlyArray<RouteAttempt>,
  served: number
): string => {
  const winner = attempts[served]
  const outcome =
    winner === undefined
      ? attempts.length === 0
        ? "nobody was asked"
        : `${attempts.length} attempts failed`
      : `${winner.candidate.providerName} answered at attempt ${served + 1}`
  const moved = ordered.filter(({ demoted }) => demoted !== undefined).length
  return `${outcome}; ${ordered.length} endpoints by ${strategy}, ${moved} moved back, ${rejected.length} left out`
}
