/** Steps with delays. */
import type { Gate } from "./Gate.ts"
import * as reply from "./reply.ts"
import { type ResponsePhase, intervene, type Step } from "./Step.ts"

/** Waits in real time. */
export const delay = (
  millis: number,
  after: ResponsePhase = "request_body",
  step: Step = reply.decision()
): Step => intervene(step, { type: "delay", after, millis })

/** Waits for `gate`. */
export const hold = (
  gate: Gate,
  after: ResponsePhase = "request_body",
  step: Step = reply.decision()
): Step => intervene(step, { type: "hold", after, gate })
