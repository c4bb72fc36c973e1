/** The journeys of the pages that an instance with limits, jobs, interns and changes fills. */
import { expect } from "vitest"
import { access } from "./access.ts"
import { compare } from "./compare.ts"
import { interns } from "./interns.ts"
import { jobs } from "./jobs.ts"
import type { Journey } from "./Journey.ts"
import { keyChanges } from "./keyChanges.ts"
import { keys } from "./keys.ts"
import { members } from "./members.ts"
import { overview } from "./overview.ts"
import { playground } from "./playground.ts"
import { presets } from "./presets.ts"
import { replay } from "./replay.ts"
import { savedViews } from "./savedViews.ts"
import { spend } from "./spend.ts"
import { webhooks } from "./webhooks.ts"

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
  ...overview,
  ...spend,
  ...jobs,
  ...presets,
  ...replay,
  ...compare,
  ...savedViews,
  ...interns,
  ...keys,
  ...keyChanges,
  ...access,
  ...webhooks,
  ...members,
  ...playground,
  others
]
