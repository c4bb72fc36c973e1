/** The host of an intern does one thing at a time with it, over all processes. */
import type { World } from "../World.ts"

export const oneOperationAtATime = ({ house }: World): ReadonlyArray<string> => house.overlaps
