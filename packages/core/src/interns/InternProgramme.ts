/** Whom the host lets have interns: to everybody else they are not there. */
import * as Context from "effect/Context"
import type { Caller } from "../auth/Caller.ts"

/** The host's own function; false: every path of interns is unknown to this caller. */
export type Programme = (caller: Caller) => boolean | Promise<boolean>

/** Decides for whom there are interns. */
export class InternProgramme extends Context.Service<InternProgramme, Programme>()(
  "@signalbox/core/interns/InternProgramme"
) {}
