/** One instance for all routes of the process. */
import { Signalbox } from "@signalbox/node"
import { options } from "../router.ts"

export const instance = await Signalbox.make(options)
