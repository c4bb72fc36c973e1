import { expect } from "vitest"
import { hostile } from "../support/consoleInstance.ts"
import type { Journey } from "./Journey.ts"

export const users: ReadonlyArray<Journey> = [
  {
    title: "Users lists who asked, and leads to their requests and sessions",
    run: async (tab) => {
      await tab.goTo("#/users")
      await tab.page.waitForSelector("[aria-label=Users] tbody a")
      expect(await tab.text()).toContain(hostile)
      await tab.click("external users")
      await tab.page.waitForFunction(`location.hash.includes("kind=external_user")`)
      await tab.page.waitForSelector("[aria-label=Users] tbody a[href*='external_user=']")
      await tab.page.type("main input[type=search]", "nobody at all")
      await tab.page.waitForSelector("[aria-label=Users] tbody a", { hidden: true })
      await tab.goTo("#/users")
      await tab.page.locator("[aria-label=Users] tbody a").click()
      await tab.page.waitForSelector("tbody a[href^='#/requests/gen-']")
      expect(await tab.page.evaluate("location.hash")).toMatch(/^#\/requests\?.*user=/)
    }
  }
]
