/** An experiment, as the API lists it. */
import type { OperationResponse } from "@signalbox/core/contract"

export type Experiment = OperationResponse<"experiments.list">["data"][number]
export type Arm = Experiment["trial"]

/** Null without requests. */
export const toSuccessShare = ({ errors, requests }: Pick<Arm, "errors" | "requests">) =>
  requests === 0 ? null : 1 - errors / requests
