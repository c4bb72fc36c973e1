/** What a traffic control would have done with recorded traffic: the same requests with it and without it. Pure. */
import * as Effect from "effect/Effect"
import type { Configuration } from "../../engine/catalog/Configuration.ts"
import type { Endpoint } from "../../engine/catalog/endpoint/Endpoint.ts"
import type { ControlState, LiveControls } from "../../engine/health/control/LiveControls.ts"
import type { NewTrafficControl } from "../../engine/health/control/TrafficControl.ts"
import type { SettingsShape } from "../../instance/Settings.ts"
import * as Candidate from "../../routing/Candidate.ts"
import type { Strategy } from "../../routing/plan/strategies/strategies.ts"
import { startSimulation } from "./engine/runSimulation.ts"
import type { AnswerCall, SimulationRun } from "./engine/SimulationRun.ts"
import { makeRecordedAnswers } from "./recording/RecordedAnswers.ts"
import type { RecordedRequest } from "./recording/RecordedRequest.ts"

interface PreviewInput {
  readonly configuration: Pick<Configuration, "models" | "upstreams">
  /** In the order in which they came. */
  readonly requests: ReadonlyArray<RecordedRequest>
  readonly settings: SettingsShape
  readonly strategy: Strategy
}

/** The endpoints in service under some controls. */
export interface ServingModels {
  /** The candidates of each model with any. */
  readonly candidates: ReadonlyMap<string, ReadonlyArray<Candidate.Candidate>>
  readonly controls: Readonly<Record<string, ControlState>> | undefined
}

/** Of the models with traffic: a catalog may have hundreds of thousands of endpoints. */
export const findServing = Effect.fnUntraced(function* (
  { models, upstreams }: PreviewInput["configuration"],
  wanted: ReadonlySet<string>,
  live: LiveControls
): Effect.fn.Return<ServingModels> {
  const candidates = new Map<string, ReadonlyArray<Candidate.Candidate>>()
  for (const { distillable, endpoints, id } of models) {
    if (!wanted.has(id)) continue
    const serving = endpoints
      .filter((endpoint) => isServing(live, endpoint))
      .map((endpoint) =>
        Candidate.make({
          endpoint,
          providerName: upstreams.get(endpoint.provider)?.name ?? endpoint.provider,
          distillable
        })
      )
    if (serving.length > 0) candidates.set(id, serving)
    if (candidates.size % modelsAtOnce === 0) yield* Effect.yieldNow
  }
  return { candidates, controls: live.select(Array.from(candidates.values()).flat()) }
})

/** A few milliseconds: the requests of the host go on meanwhile. */
const modelsAtOnce = 100

/** The models that a control of this target leaves without an endpoint in service. */
export const findLostModels = (
  { models }: Pick<PreviewInput["configuration"], "models">,
  { id, kind }: Pick<NewTrafficControl, "id" | "kind">,
  before: LiveControls,
  after: LiveControls
): ReadonlyArray<string> =>
  models.flatMap(({ endpoints, id: model }) => {
    const isConcerned = endpoints.some((endpoint) =>
      kind === "provider" ? endpoint.provider === id : endpoint.id === id
    )
    const isLost =
      isConcerned &&
      endpoints.some((endpoint) => isServing(before, endpoint)) &&
      !endpoints.some((endpoint) => isServing(after, endpoint))
    return isLost ? [model] : []
  })

const isServing = (live: LiveControls, endpoint: Endpoint): boolean =>
  (live.find(endpoint)?.state ?? "active") === "active"

/** How the requests would have gone, with the endpoints in service. All have draws of their own, which are the same in every run. */
export const replay = Effect.fnUntraced(function* (
  { requests, settings, strategy }: PreviewInput,
  { candidates, controls }: ServingModels
): Effect.fn.Return<Replay> {
  const recorded = makeRecordedAnswers(requests, windowMillis)
  const unrecorded = new Set<string>()
  const answer: AnswerCall = (call) => {
    if (recorded.endpoints.has(call.endpoint)) return recorded.answer(call)
    unrecorded.add(call.endpoint)
    return answerAsRecorded(call.request)
  }
  const simulation = startSimulation({
    requests,
    candidates,
    answer,
    strategy,
    hedging: undefined,
    seed: 0,
    settings,
    ...(controls === undefined ? undefined : { controls })
  })
  for (let steps = 1; simulation.step(); steps++) {
    if (steps % stepsAtOnce === 0) yield* Effect.yieldNow
  }
  return { run: simulation.run, unrecorded }
})

interface Replay {
  readonly run: SimulationRun
  readonly unrecorded: ReadonlySet<string>
}

/** As short as `modelsAtOnce`. */
const stepsAtOnce = 50

const windowMillis = 30_000

/** Nothing is known of the endpoint, so it answers as fast as the one that did. */
const answerAsRecorded = ({ attempts }: RecordedRequest) => {
  const answered = attempts.find(({ status }) => status === 200)
  return {
    status: 200,
    wholeMillis: answered?.whole_ms ?? unknownMillis,
    ...(answered?.first_ms === undefined ? undefined : { firstMillis: answered.first_ms })
  }
}

const unknownMillis = 1_000
