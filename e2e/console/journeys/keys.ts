import { expect } from "vitest"
import { hostile } from "../support/consoleInstance.ts"
import { act } from "./act.ts"
import type { Journey } from "./Journey.ts"

export const keys: ReadonlyArray<Journey> = [
  {
    title: "Keys & audit shows keys by page, disables one, and tells who did it",
    run: async (tab) => {
      await tab.goTo("#/keys")
      // The newest keys come first.
      await tab.waitFor("team 23")
      await tab.page.waitForSelector('.table[aria-label="Audit log"] tbody tr')
      expect(await tab.text()).not.toContain("team 0")
      await tab.page.locator('[aria-label="Keys"] .more button').click()
      await tab.waitFor("team 0")
      await tab.waitFor(hostile)
      await act(
        tab,
        "Disable key: team 3 ",
        "Yes, disable key",
        "requests with this key are refused"
      )
      await tab.page.waitForSelector('[aria-label^="Enable key: team 3 "]')
      await tab.click("Read again")
      // An earlier journey may have left other entries.
      await tab.page.waitForFunction(
        `document.querySelector('.table[aria-label="Audit log"] tbody tr')?.textContent.includes("false → true")`
      )
      const text = await tab.text()
      expect(text).toContain("key.update")
      expect(text).toContain("operator")
      await tab.page.locator('[aria-label="Audit log"] summary').click()
      await tab.waitFor("false → true")
      await act(tab, "Enable key: team 3 ", "Yes, enable key", "are served again")
    }
  },
  {
    title: "An action that the server refuses says why",
    run: async (tab) => {
      await tab.goTo("#/keys")
      await tab.waitFor("team 20")
      // Simulates a page that has been open for too long.
      const context = tab.page.browserContext()
      await context.deleteCookie(...(await context.cookies()))
      await act(
        tab,
        "Disable key: team 20 ",
        "Yes, disable key",
        "Not done: the token of the page is missing or out of date; reload the page"
      )
      expect(tab.problems.splice(0)).toEqual([expect.stringContaining("403")])
      await tab.page.waitForSelector('[aria-label^="Disable key: team 20 "]')
    }
  }
]
