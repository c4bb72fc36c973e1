/** Steps that take their time. */
import type { Gate } from "./Gate.ts"
import * as reply from "./reply.ts"
import { type ResponsePhase, intervene, type Step } from "./Step.ts"

/** Waits so many milliseconds of real time. */
export const delay = (
  millis: number,
  after: ResponsePhase = "request_body",
  step: Step = reply.decision()
): Step => intervene(step, { type: "delay", after, millis })

/** Waits until `gate` is open. */
export const hold = (
  gate: Gate,
  after: ResponsePhase = "request_body",
  step: Step = reply.decision()
): Step => intervene(step, { type: "hold", after, gate })
