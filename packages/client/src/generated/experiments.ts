/** Experiments: the operations of the group `experiments`. `npm run docs` writes this file from the contract. */
import type { CallOptions, Connection } from "../Connection.ts"

export interface Experiment {
  readonly id: string
  readonly mode: "canary" | "shadow"
  readonly match: {
    readonly model: string
    readonly operation: "decisions" | "chat" | null
    readonly account: string | null
  }
  readonly to: string
  readonly share: number
  readonly budget: number | null
  readonly status: "running" | "rolled_back" | "spent" | "stopped"
  readonly run: number
  readonly started_at: string
  readonly ended_at: string | null
  readonly cause: string | null
  readonly control: ExperimentControl
  readonly trial: ExperimentControl
  readonly rollback: {
    readonly min_requests: number
    readonly max_error_share: number | null
    readonly max_latency_p95: number | null
    readonly control: ExperimentListControl
    readonly trial: ExperimentListControl
  } | null
  readonly agreement: {
    readonly compared: number
    readonly agreed: number
    readonly share: number | null
  }
  readonly skipped: number
}

export interface ExperimentControl {
  readonly requests: number
  readonly errors: number
  readonly errors_interval: {
    readonly low: number
    readonly high: number
  } | null
  readonly latency_p95: number | null
  readonly latency_p95_interval: {
    readonly low: number
    readonly high: number
  } | null
  readonly latency_p50: number | null
  readonly cost: number
  readonly cost_per_request: number | null
  readonly cost_per_request_interval: {
    readonly low: number
    readonly high: number
  } | null
  readonly feedback: Readonly<Record<string, number>>
}

export interface ExperimentListControl {
  readonly requests: number
  readonly errors: number
  readonly errors_interval: {
    readonly low: number
    readonly high: number
  } | null
  readonly latency_p95: number | null
  readonly latency_p95_interval: {
    readonly low: number
    readonly high: number
  } | null
}

export interface ExperimentsListOutput {
  readonly data: ReadonlyArray<Experiment>
}

export interface ExperimentsRestartInput {
  readonly id: string
}

export interface ExperimentsRestartOutput {
  readonly data: Experiment
}

export interface ExperimentsStopInput {
  readonly id: string
}

export interface ExperimentsStopOutput {
  readonly data: Experiment
}

/** Experiments. */
export const experiments = (connection: Connection) => ({
  /** List the experiments of the host with what they have measured, over all processes. */
  list: (options?: CallOptions): Promise<ExperimentsListOutput> =>
    connection.call("GET /api/v1/signalbox/experiments", undefined, options),
  /** Start an experiment anew that has ended, with nothing measured and its whole budget. One that runs stays as it is. */
  restart: (
    input: ExperimentsRestartInput,
    options?: CallOptions
  ): Promise<ExperimentsRestartOutput> =>
    connection.call("POST /api/v1/signalbox/experiments/:id/restart", input, options),
  /** End an experiment. One that has ended stays as it is. */
  stop: (input: ExperimentsStopInput, options?: CallOptions): Promise<ExperimentsStopOutput> =>
    connection.call("POST /api/v1/signalbox/experiments/:id/stop", input, options)
})
