import { expect } from "vitest"
import { hostile } from "../support/consoleInstance.ts"
import type { Journey } from "./Journey.ts"

export const presets: ReadonlyArray<Journey> = [
  {
    title: "Presets leads from a preset to its versions, its cost, and what a request with it said",
    run: async (tab) => {
      await tab.goTo("#/presets")
      await tab.waitFor("@preset/calm")
      await tab.waitFor(hostile)
      await tab.page.locator('a[href="#/presets/calm"]').click()
      await tab.waitFor("System prompt")
      await tab.page.waitForSelector('[aria-label="Use"] tbody a')
      const detail = await tab.text()
      expect(detail).toContain(`"seed": 2`)
      expect(detail).toContain(hostile)
      await tab.page.locator('[aria-label="Versions"] tbody tr:first-child summary').click()
      await tab.waitFor(`"seed": 1`)
      await tab.page.locator('[aria-label="Use"] tbody a').click()
      await tab.click("Prompt and answer")
      await tab.waitFor("Secrets and inline media were left out")
      const text = await tab.text()
      expect(text).toContain(hostile)
      expect(text).toContain("Hi.")
      await tab.page.locator('dd a[href*="preset_id="]').click()
      await tab.waitFor("Over time")
    }
  },
  {
    title: "A request of which nothing is kept says so",
    run: async (tab) => {
      await tab.goTo("#/requests?model=demo%2Ffilm")
      await tab.page.locator("tbody a").click()
      await tab.click("Prompt and answer")
      await tab.waitFor("Nothing is kept of this request.")
      expect(tab.problems.splice(0)).toEqual([expect.stringContaining("404")])
    }
  },
  {
    title: "Spend tells presets apart by their slugs",
    run: async (tab) => {
      await tab.goTo("#/spend?by=preset&range=24h")
      await tab.waitFor("Cost by preset")
      await tab.page.locator('td a[href*="preset_id="]').click()
      await tab.waitFor("Over time")
    }
  }
]
