import { expect } from "vitest"
import type { Journey } from "./Journey.ts"

export const compare: ReadonlyArray<Journey> = [
  {
    title: "Two requests of the list are compared side by side, and their address keeps both",
    run: async (tab) => {
      const { page } = tab
      await tab.goTo("#/requests?model=demo%2Fmodel")
      await page.waitForSelector("tbody input[type=checkbox]")
      const [first, second] = await page.$$("tbody input[type=checkbox]")
      await first!.click()
      await tab.waitFor("Select another request to compare both.")
      await second!.click()
      await tab.click("Compare the two selected requests")
      await page.waitForFunction(`/^#\\/requests\\/gen-[^/]+\\/gen-[^/]+$/.test(location.hash)`)
      await tab.waitFor("Two requests")
      await tab.click("Show what is alike")
      await page.waitForSelector('[aria-label="Differences"] tbody tr')
      const text = await tab.text()
      expect(text).toContain("Requested models")
      expect(text).toContain("demo/model@steady served")
      expect(text).toContain("Prompt and answer")
      await page.reload()
      await tab.waitFor("Two requests")
      // The browser notes that the content of one is not kept.
      tab.problems.splice(0)
      await tab.click("Back to the list")
      await tab.waitFor("Over time")
    }
  }
]
