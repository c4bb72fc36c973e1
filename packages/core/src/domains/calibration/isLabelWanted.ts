/** Draws the Decisions that should be labelled at random, so that labels do not cover only doubtful answers. */
import { mixBits } from "./mixBits.ts"

/** True for 2 % of all seeds of plans: the same plan has the same draw. */
export const isLabelWanted = (seed: number): boolean =>
  // The plan draws its endpoints from the same seed, so its bits are mixed.
  mixBits(seed ^ salt) / 2 ** 32 < wantedShare

const salt = 0x6c6162ff

const wantedShare = 0.02
