/** The journeys of the pages that an instance with limits, jobs, interns and changes fills. */
import { expect } from "vitest"
import { interns } from "./interns.ts"
import { jobs } from "./jobs.ts"
import type { Journey } from "./Journey.ts"
import { keys } from "./keys.ts"
import { presets } from "./presets.ts"
import { spend } from "./spend.ts"

/** Text on each of the other pages. */
const pages = { now: "demo/model", requests: "demo/film", route: "Choose a model" }

const others: Journey = {
  title: "The other pages have room for names of any length",
  run: async (tab) => {
    for (const [page, text] of Object.entries(pages)) {
      await tab.goTo(`#/${page}`)
      await tab.waitFor(text)
      expect(await tab.measureOverflow()).toBe(0)
    }
  }
}

export const operationJourneys: ReadonlyArray<Journey> = [
  ...spend,
  ...jobs,
  ...presets,
  ...interns,
  ...keys,
  others
]
