/** Decides which callers may use interns. */
import * as Context from "effect/Context"
import type { Caller } from "../../tenants/auth/Caller.ts"

/** Provided by the host; false answers every path of interns with 404. */
export type EligibilityRule = (caller: Caller) => boolean | Promise<boolean>

/** The eligibility rule of the host. */
export class InternEligibility extends Context.Service<InternEligibility, EligibilityRule>()(
  "@signalbox/core/domains/interns/InternEligibility"
) {}
