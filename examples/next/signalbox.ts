/** One instance for all routes of the process, also when development reloads this file. */
import { Signalbox } from "@signalbox/node"
import { options } from "../router.ts"

const shared: typeof globalThis & { signalbox?: Promise<Signalbox> } = globalThis

export const instance = await (shared.signalbox ??= Signalbox.make(options))
