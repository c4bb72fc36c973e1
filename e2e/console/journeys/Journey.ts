/** What a browser test does on one page of the console. */
import type { BrowserTab } from "../support/BrowserTab.ts"

export interface Journey {
  /** What the test checks. */
  readonly title: string
  readonly run: (tab: BrowserTab) => Promise<void>
}
