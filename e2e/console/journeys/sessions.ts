import { expect } from "vitest"
import { hostile } from "../support/consoleInstance.ts"
import type { Journey } from "./Journey.ts"

export const sessions: ReadonlyArray<Journey> = [
  {
    title: "Sessions lead to their requests in order, under a sentence",
    run: async (tab) => {
      const { page } = tab
      await tab.goTo("#/sessions")
      await tab.waitFor(hostile)
      const session = '[aria-label="Sessions"] tbody a[href*="session_id"]'
      await page.locator(session).click()
      await page.waitForFunction(`/^#.requests\\?.*range=24h/.test(location.hash)`)
      await page.waitForFunction(
        `/\\d+ requests in .*tokens, by demo\\/model/.test(document.querySelector(".sentence")?.textContent)`
      )
      await page.waitForFunction(
        `document.querySelector('[aria-label="Order"]')?.textContent.includes("in order")`
      )
      await page.waitForFunction(`document.querySelectorAll("tbody time").length > 1`)
      const times = await page.$$eval("tbody time", (found) =>
        found.map((time) => String(time.getAttribute("datetime")))
      )
      expect(times).toEqual(times.toSorted())

      await tab.goTo("#/sessions?model=demo%2Fnone")
      await tab.waitFor("No request of this time had a session.")
      await tab.click("Show all")
      await tab.waitFor(hostile)
    }
  }
]
