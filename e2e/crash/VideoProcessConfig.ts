/** The configuration of processes that generate videos. */
import type { SettingsShape } from "@signalbox/core"
import type { TestDatabase } from "../support/TestDatabase.ts"

export interface VideoProcessConfig {
  readonly database: TestDatabase
  /** The URLs of the providers; each can generate every video. */
  readonly upstreams: ReadonlyArray<string>
  /** The folder for video files. */
  readonly folder: string
  /** The credits in USD, as a decimal string. */
  readonly credits: string
  readonly settings: Partial<SettingsShape>
}

export const videoKey = "sk-proof-of-videos-5e1f9c"

/** The price of a video of four seconds, in nano-USD. */
export const videoPrice = 400_000_000n
