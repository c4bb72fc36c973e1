/** Calibration: the operations of the group `calibration`. `npm run docs` writes this file from the contract. */
import type { CallOptions, Connection } from "../Connection.ts"

export interface CalibrationMap {
  readonly model: string
  readonly method: string
  readonly kind: "noul" | "choice" | "score"
  readonly question: string | null
  readonly map: "none" | "temperature" | "platt" | "isotonic" | "discrete"
  readonly parameters: Readonly<Record<string, unknown>>
  readonly fitted_at: string
  readonly labeled_by: ReadonlyArray<{
    readonly user: string | null
    readonly key: string | null
    readonly manager: boolean
    readonly samples: number
    readonly share: number
  }>
  readonly samples: number
  readonly before: CalibrationBefore
  readonly after: CalibrationBefore
  readonly recent: {
    readonly samples: number
    readonly before: CalibrationBefore
    readonly after: CalibrationBefore
  }
}

export interface CalibrationBefore {
  readonly ece: number
  readonly ece_equal_mass: number
  readonly ece_by_chance: number
  readonly brier: number
  readonly nll: number
  readonly bins: ReadonlyArray<{
    readonly from: number
    readonly to: number
    readonly count: number
    readonly confidence: number
    readonly accuracy: number
    readonly low: number
    readonly high: number
  }>
}

export interface CalibrationLabelInput {
  readonly generation_id: string
  readonly labels: Readonly<Record<string, boolean | number | string>>
  readonly weight?: number
}

export interface CalibrationLabelOutput {
  readonly data: {
    readonly generation_id: string
    readonly labeled: number
  }
}

export interface CalibrationGetInput {
  /** The model that answered. */
  readonly model?: string
  /** Kind of the question. */
  readonly kind?: "noul" | "choice" | "score"
  /** `key` of a question, as routing metadata has it. */
  readonly question?: string
}

export interface CalibrationGetOutput {
  readonly data: {
    readonly maps: ReadonlyArray<CalibrationMap>
  }
}

export interface CalibrationRefitInput {
  /** The model that answered. */
  readonly model?: string
  /** Kind of the question. */
  readonly kind?: "noul" | "choice" | "score"
  /** `key` of a question, as routing metadata has it. */
  readonly question?: string
}

export interface CalibrationRefitOutput {
  readonly data: {
    readonly maps: ReadonlyArray<CalibrationMap>
  }
}

export interface CalibrationForgetInput {
  /** The model that answered. */
  readonly model?: string
  /** Kind of the question. */
  readonly kind?: "noul" | "choice" | "score"
  /** `key` of a question, as routing metadata has it. */
  readonly question?: string
}

export interface CalibrationForgetOutput {
  readonly data: {
    readonly deleted: number
  }
}

/** Calibration. */
export const calibration = (connection: Connection) => ({
  /** Label answers of a Decision with what was right, with a member key of a Decision of its own. Labelling again replaces. */
  label: (input: CalibrationLabelInput, options?: CallOptions): Promise<CalibrationLabelOutput> =>
    connection.call("POST /api/v1/signalbox/calibration/samples", input, options),
  /** Get the calibration maps of the account, with errors and reliability diagrams before and after. */
  get: (input?: CalibrationGetInput, options?: CallOptions): Promise<CalibrationGetOutput> =>
    connection.call("GET /api/v1/signalbox/calibration", input, options),
  /** Fit the calibration maps to all labels now, and get them. */
  refit: (input?: CalibrationRefitInput, options?: CallOptions): Promise<CalibrationRefitOutput> =>
    connection.call("POST /api/v1/signalbox/calibration?model,kind,question", input, options),
  /** Delete labels, and the calibration maps fitted to them. */
  forget: (
    input?: CalibrationForgetInput,
    options?: CallOptions
  ): Promise<CalibrationForgetOutput> =>
    connection.call("DELETE /api/v1/signalbox/calibration?model,kind,question", input, options)
})
