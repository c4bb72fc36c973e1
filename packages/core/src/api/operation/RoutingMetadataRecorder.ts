/** Records how a request was routed, for callers that request it by header. */
import type * as HttpServerResponse from "effect/http/HttpServerResponse"
import type * as Tracer from "effect/Tracer"
import type { AppliedMap } from "../../questions/Answer.ts"
import { isLabelWanted } from "../../domains/calibration/Labeler.ts"
import type { CacheReport } from "../../routing/cache/AnswerCaching.ts"
import { type CacheWish, readCacheWish } from "../../routing/cache/CacheWish.ts"
import type { Candidate } from "../../routing/Candidate.ts"
import type { RouteAttempt } from "../../routing/attempt/RouteAttempt.ts"
import { toExplanation } from "../../routing/Explanation.ts"
import type { PipelineStage } from "../../routing/PipelineStage.ts"
import type { FilterReport } from "../../routing/filters/FilterReport.ts"
import type { EscalationOutcome, RouteObserver, PlannedRoute } from "../../routing/RouteQuery.ts"
import type { EscalationMetadata, RoutingMetadata } from "../../routing/RoutingMetadata.ts"
import { toRoutingMetadata } from "../../routing/toRoutingMetadata.ts"
import type { GenerationId } from "../../values/ids/GenerationId.ts"
import { omitUndefined } from "../../values/ownFields.ts"
import type { RequestHeaders } from "../body/BodyRequest.ts"
import type { ErrorResponse } from "../errors/ErrorResponse.ts"
import { renderError } from "../errors/toErrorResponse.ts"

/** Only the value `enabled` requests metadata, under Signalbox's name or OpenRouter's. */
const isMetadataRequested = (headers: RequestHeaders): boolean =>
  isEnabled(headers["x-signalbox-metadata"]) || isEnabled(headers["x-openrouter-metadata"])

const isEnabled = (header: string | undefined): boolean =>
  header?.trim().toLowerCase() === "enabled"

/** The header by which a request decides whether fields without effect refuse it; undefined: the setting decides. */
const findStrictness = (headers: RequestHeaders): boolean | undefined => {
  const value = headers["x-signalbox-strict"]
  return value === undefined ? undefined : !/^\s*(?:false|disabled|0|)\s*$/i.test(value)
}

/** Records the plan and the attempts of one request. */
export class RoutingMetadataRecorder implements RouteObserver {
  readonly requestId: string | undefined
  readonly #isWanted: boolean
  #attempts: Array<RouteAttempt> | undefined
  #requested: string | undefined
  #planned: PlannedRoute | undefined
  #id: GenerationId | undefined
  /** Declared without a field, because few requests are calibrated. */
  declare applied?: Readonly<Record<string, AppliedMap>>
  declare escalation?: EscalationOutcome
  /** What content filters found. */
  declare filtered?: FilterReport
  /**
   * The ignored parameters by the candidate that is not sent them; the key undefined has those that no candidate is
   * sent. Few requests have any.
   */
  declare ignored?: Map<Candidate["id"] | undefined, ReadonlyArray<string>>
  /** What was done besides, by the candidate of the attempt. Few requests have any. */
  declare stages?: Array<{
    readonly stage: PipelineStage
    readonly candidate: Candidate | undefined
  }>
  /** Declared without a field, because few requests say it. */
  declare isStrict?: boolean
  /** Declared without a field, because few requests are replays. */
  declare replayOf?: GenerationId
  /** What the caller says of the cache of responses. Few requests do. */
  declare cache?: CacheWish
  declare cached?: CacheReport
  /** The span of the request, if a tracer of the host exports it. */
  declare span?: Tracer.Span

  /** `requestId`: the `x-request-id` of the response; absent for calls in process. */
  constructor(headers: RequestHeaders, requestId?: string) {
    this.requestId = requestId
    this.#isWanted = isMetadataRequested(headers)
    const isStrict = findStrictness(headers)
    if (isStrict !== undefined) this.isStrict = isStrict
    const wish = readCacheWish(headers)
    if (wish !== undefined) this.cache = wish
  }

  /** `model` as in the request; undefined if the workspace decides it. */
  observeModel(model: string | undefined): RouteObserver {
    this.#requested = model
    return this
  }

  onSpan(span: Tracer.Span): void {
    this.span = span
  }

  onRecordId(id: GenerationId): void {
    this.#id = id
  }

  /** Whether the request leaves a generation record. */
  get isRecorded(): boolean {
    return this.#id !== undefined
  }

  onPlan(planned: PlannedRoute): void {
    this.#planned = planned
  }

  /** Fields of the request have no effect, or another than they say. */
  onIgnored(paths: ReadonlyArray<string>, candidate?: Candidate): void {
    if (paths.length === 0) return
    const known = (this.ignored ??= new Map()).get(candidate?.id)
    this.ignored.set(candidate?.id, known === undefined ? paths : [...known, ...paths])
  }

  onFilter(report: FilterReport): void {
    if (this.#isWanted) this.filtered = report
  }

  onStage(stage: PipelineStage, candidate?: Candidate): void {
    if (this.#isWanted) (this.stages ??= []).push({ stage, candidate })
  }

  onCache(report: CacheReport): void {
    this.cached = report
  }

  onEscalation(outcome: EscalationOutcome): void {
    this.escalation = outcome
  }

  onAttempt(attempted: RouteAttempt): void {
    // Another candidate serves.
    if (this.ignored !== undefined && (attempted.failure !== undefined || attempted.lost === true))
      this.ignored.delete(attempted.candidate.id)
    if (this.stages !== undefined && (attempted.failure !== undefined || attempted.lost === true))
      this.stages = this.stages.filter(({ candidate }) => candidate?.id !== attempted.candidate.id)
    if (this.#isWanted) (this.#attempts ??= []).push(attempted)
  }

  onCalibration(applied: Readonly<Record<string, AppliedMap>>): void {
    if (this.#isWanted) this.applied = applied
  }

  /** The parameters of the request that the response ignores; undefined: none. */
  listIgnored(): ReadonlyArray<string> | undefined {
    return this.ignored === undefined || this.ignored.size === 0
      ? undefined
      : [...new Set([...this.ignored.values()].flat())]
  }

  /** Under Signalbox's and OpenRouter's name; undefined before planning, for an answer from the cache, or if not requested. */
  toMetadata():
    | Readonly<Record<"openrouter_metadata" | "service_metadata", RoutingMetadata>>
    | undefined {
    if (!this.#isWanted) return undefined
    if (this.cached?.status === "HIT") return undefined
    if (this.#planned === undefined) return this.#toBlockedMetadata()
    const explanation = toExplanation(this.#planned)
    const routed = toRoutingMetadata({
      requested: this.#requested ?? explanation.models[0] ?? "",
      explanation,
      attempts: this.#attempts ?? []
    })
    const pipeline = this.#listStages()
    const metadata: RoutingMetadata =
      this.applied === undefined && this.escalation === undefined && pipeline.length === 0
        ? routed
        : {
            ...routed,
            ...(pipeline.length === 0 ? undefined : { pipeline }),
            ...(this.applied === undefined
              ? undefined
              : { calibration: toCalibrationMetadata(this.applied, this.#planned.seed) }),
            ...(this.escalation === undefined
              ? undefined
              : { escalation: toEscalationMetadata(this.escalation) })
          }
    return { service_metadata: metadata, openrouter_metadata: metadata }
  }

  #listStages(): ReadonlyArray<PipelineStage> {
    if (this.filtered === undefined && this.stages === undefined) return noStages
    return [...(this.filtered?.stages ?? []), ...(this.stages ?? []).map(({ stage }) => stage)]
  }

  /** A request that a guardrail blocked has no plan. */
  #toBlockedMetadata() {
    if (this.filtered?.blocked === undefined) return undefined
    const { stages } = this.filtered
    const metadata: RoutingMetadata = {
      requested: this.#requested ?? "",
      strategy: "direct",
      region: null,
      summary: "no attempts; blocked by a guardrail",
      attempt: 0,
      is_byok: false,
      endpoints: { total: 0, available: [] },
      attempts: [],
      ordered_by: "none",
      demoted: [],
      dropped_parameters: [],
      rejected: [],
      ...(stages.length === 0 ? undefined : { pipeline: stages })
    }
    return { service_metadata: metadata, openrouter_metadata: metadata }
  }

  /** Adds the metadata to a response body if it was requested. */
  addMetadata<A extends object>(body: A): A {
    const metadata = this.toMetadata()
    return metadata === undefined ? body : { ...body, ...metadata }
  }

  /** Renders an error with the requested metadata and the id of its generation record, if any. */
  renderError(error: ErrorResponse): HttpServerResponse.HttpServerResponse {
    const { requestId } = this
    return renderError(error, {
      ...omitUndefined({ requestId }),
      generationId: this.#id,
      routing: this.toMetadata()
    })
  }
}

const noStages: ReadonlyArray<PipelineStage> = []

const toCalibrationMetadata = (questions: Readonly<Record<string, AppliedMap>>, seed: number) => ({
  questions,
  ...(isLabelWanted(seed) ? { label_wanted: true as const } : undefined)
})

/** An infinite threshold, which no JSON number says, is null: everything is asked again. */
const toEscalationMetadata = ({
  failed,
  questions,
  reason,
  threshold,
  to
}: EscalationOutcome): EscalationMetadata => ({
  to,
  ...(threshold === undefined
    ? undefined
    : { threshold: threshold === Infinity ? null : threshold }),
  questions: Object.fromEntries(questions.map((name) => [name, true as const])),
  ...(failed === undefined ? undefined : { failed }),
  ...(reason === undefined ? undefined : { reason })
})
