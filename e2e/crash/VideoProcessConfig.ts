/** Where processes that make videos meet, and what they are told. */
import type { SettingsShape } from "@signalbox/core"
import type { TestDatabase } from "../support/TestDatabase.ts"

export interface VideoProcessConfig {
  readonly database: TestDatabase
  /** The addresses of the providers, of which each could make every video. */
  readonly upstreams: ReadonlyArray<string>
  /** Where the files of videos are kept. */
  readonly folder: string
  /** USD that there is to be spent, as a decimal string. */
  readonly credits: string
  readonly settings: Partial<SettingsShape>
}

export const videoKey = "sk-proof-of-videos-5e1f9c"

/** Of a video of four seconds, in nano-USD. */
export const videoPrice = 400_000_000n
