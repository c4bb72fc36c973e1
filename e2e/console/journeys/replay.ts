import { expect } from "vitest"
import type { Journey } from "./Journey.ts"

export const replay: ReadonlyArray<Journey> = [
  {
    title:
      "A request with kept content runs again, with its cost told before and both answers after",
    run: async (tab) => {
      await tab.goTo("#/presets/calm")
      await tab.page.locator('[aria-label="Use"] tbody a').click()
      await tab.click("Replay")
      await tab.waitFor("Goes to demo/model@")
      await tab.page.locator("form.playground .field:nth-of-type(2) input").fill("steady")
      await tab.waitFor("Goes to demo/model@steady, and costs about $")
      await tab.click("Run again")
      await tab.page.waitForSelector('[aria-label="Again"] .said')
      await tab.page.waitForSelector('[aria-label="Then"] .said')
      expect((await tab.text()).split("Hi.")).toHaveLength(3)
      await tab.page.locator('[aria-label="Again"] a').click()
      await tab.waitFor("Replay of")
    }
  },
  {
    title: "A video, whose content is not kept, offers no replay",
    run: async (tab) => {
      await tab.goTo("#/requests?model=demo%2Ffilm")
      await tab.page.locator("tbody a").click()
      await tab.waitFor("Prompt and answer")
      expect(await tab.text()).not.toContain("Replay")
    }
  }
]
