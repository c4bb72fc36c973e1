/** How a request was routed, told to a caller that asks for it by header. Source: semantics A9. */
import type * as Headers from "effect/http/Headers"
import type * as HttpServerResponse from "effect/http/HttpServerResponse"
import type { Attempted } from "../routing/Attempted.ts"
import { isByok } from "../routing/Candidate.ts"
import { type Explanation, explanationOf } from "../routing/Explanation.ts"
import type { Observer, Planned } from "../routing/Query.ts"
import type { GenerationId } from "../values/GenerationId.ts"
import type { Refusal } from "./errors/Refusal.ts"
import { refuse } from "./errors/refuse.ts"

/** Ours and the reference's name. */
const names = ["x-signalbox-metadata", "x-openrouter-metadata"]

/** Anything but `enabled` is off. */
const wantsMetadata = (headers: Headers.Headers): boolean =>
  names.some((name) => headers[name]?.trim().toLowerCase() === "enabled")

/** What one request came to, noted while it is served. */
export class RoutingNotes implements Observer {
  readonly #isWanted: boolean
  readonly #attempts: Array<Attempted> = []
  #requested: string | undefined
  #planned: Planned | undefined
  #id: GenerationId | undefined

  constructor(headers: Headers.Headers) {
    this.#isWanted = wantsMetadata(headers)
  }

  /** `model` as the request names it; undefined where it leaves that to its workspace. */
  hearing(model: string | undefined): Observer {
    this.#requested = model
    return this
  }

  recorded(id: GenerationId): void {
    this.#id = id
  }

  planned(planned: Planned): void {
    this.#planned = planned
  }

  attempted(attempted: Attempted): void {
    this.#attempts.push(attempted)
  }

  /** Under our name and the reference's; nothing before the request was planned, or to who did not ask for it. */
  told(): Readonly<Record<string, unknown>> | undefined {
    if (!this.#isWanted || this.#planned === undefined) return undefined
    const explanation = explanationOf(this.#planned)
    const metadata = routingMetadata({
      requested: this.#requested ?? explanation.models[0] ?? "",
      explanation,
      attempts: this.#attempts
    })
    return { service_metadata: metadata, openrouter_metadata: metadata }
  }

  /** The answer with what is told beside it. */
  beside<A extends object>(answer: A): A {
    const told = this.told()
    return told === undefined ? answer : { ...answer, ...told }
  }

  /** The refusal with what is told beside it, and under which id its record is found, if there is one. */
  refused(refusal: Refusal): HttpServerResponse.HttpServerResponse {
    const headers =
      this.#id === undefined
        ? undefined
        : { headers: { ...refusal.headers, "x-generation-id": this.#id } }
    return refuse({ ...refusal, ...headers }, this.told())
  }
}

interface Routed {
  /** The model as the request named it. */
  readonly requested: string
  readonly explanation: Explanation
  readonly attempts: ReadonlyArray<Attempted>
}

/** The object itself; it names endpoints and rules, never content, keys or prices paid. */
const routingMetadata = ({ attempts, explanation, requested }: Routed) => {
  const served = attempts.findIndex(isServed)
  const selected = served === -1 ? undefined : attempts[served]?.candidate
  const { ordered, rejected, relax } = explanation
  return {
    requested,
    strategy: strategyOf(requested, explanation.models),
    region: null,
    summary: summaryOf(explanation, attempts, served),
    // 1-based; 0 says that nobody answered.
    attempt: served + 1,
    is_byok: selected !== undefined && isByok(selected),
    endpoints: {
      total: ordered.length + rejected.length,
      available: ordered.map(({ credential, endpoint, model, provider }) => ({
        provider,
        model,
        selected: endpoint === selected?.endpoint.id && credential === selected.credential?.id,
        ...byokOf(credential)
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
      demoted === undefined ? [] : [{ endpoint, ...byokOf(credential), reasons: demoted }]
    ),
    dropped_parameters: ordered.flatMap(({ credential, dropped, endpoint }) =>
      dropped === undefined ? [] : [{ endpoint, ...byokOf(credential), parameters: dropped }]
    ),
    rejected: rejected.map(({ credential, endpoint, reasons }) => ({
      endpoint,
      ...byokOf(credential),
      reasons
    })),
    ...(relax === undefined ? undefined : { relax })
  }
}

const byokOf = (credential: string | undefined) =>
  credential === undefined ? undefined : { is_byok: true }

const isServed = ({ brokenOff, failure }: Attempted): boolean =>
  failure === undefined && brokenOff === undefined

const strategyOf = (requested: string, models: ReadonlyArray<string>): string => {
  if (models.length > 1) return "fallback"
  return requested.startsWith("~") ? "latest" : "direct"
}

const summaryOf = (
  { ordered, rejected, strategy }: Explanation,
  attempts: ReadonlyArray<Attempted>,
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
