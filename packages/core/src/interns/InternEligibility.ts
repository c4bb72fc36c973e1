/** Whom the host lets have interns: to everybody else they are not there. */
import * as Context from "effect/Context"
import type { Caller } from "../auth/Caller.ts"

/** The host's own function; false: every path of interns is unknown to this caller. */
export type EligibilityRule = (caller: Caller) => boolean | Promise<boolean>

/** Decides for whom there are interns. */
export class InternEligibility extends Context.Service<InternEligibility, EligibilityRule>()(
  "@signalbox/core/interns/InternEligibility"
) {}
