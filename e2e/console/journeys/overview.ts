import { expect } from "vitest"
import { hostile } from "../support/consoleInstance.ts"
import type { Journey } from "./Journey.ts"

export const overview: ReadonlyArray<Journey> = [
  {
    title: "Overview is first, and leads to what is behind each figure",
    run: async (tab) => {
      await tab.goTo()
      await tab.waitFor("Success rate")
      await tab.waitFor("p95 latency")
      await tab.waitFor("Spent today")
      await tab.waitFor("Open incidents")
      await tab.waitFor("Overloaded")
      const text = await tab.text()
      expect(text).toContain("nothing before to compare with")
      // There are requests, and limits.
      expect(text).not.toContain("First steps")

      await tab.page.locator('[aria-label="Top spenders by"] ::-p-text(Models)').click()
      await tab.page.waitForFunction(`location.hash.includes("by=model")`)
      await tab.page.waitForSelector('[aria-label="Models by cost"] tbody a[href*="model=demo"]')
      await tab.page
        .locator('[aria-label="Models by cost"] tbody a[href*="model=demo%2Fm"]')
        .click()
      await tab.page.waitForFunction(`location.hash.startsWith("#/requests?range=24h&model=demo")`)

      await tab.goTo("#/overview?range=1h")
      await tab.page.locator('.overview-figures a[href*="outcome=failed"]').click()
      await tab.page.waitForFunction(`location.hash.includes("range=1h&outcome=failed")`)

      await tab.goTo("#/overview")
      await tab.waitFor(hostile)
      await tab.page.locator('.strip a[href="#/providers/overloaded"]').click()
      await tab.waitFor("If it goes down")
    }
  }
]
