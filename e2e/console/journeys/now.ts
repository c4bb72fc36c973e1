import { expect } from "vitest"
import type { Journey } from "./Journey.ts"

export const now: ReadonlyArray<Journey> = [
  {
    title: "Now shows every endpoint with its breaker and figures",
    run: async (tab) => {
      await tab.goTo("#/now")
      await tab.waitFor("demo/model@steady")
      await tab.waitFor("demo/model@overloaded")
      await tab.waitFor("Requests a minute")
      // Neither this page nor its events are requests of the instance.
      await tab.page.waitForFunction(
        String.raw`/Requests in progress\s+0\s/.test(document.body.innerText)`
      )
      await tab.page.type("input[type=search]", "STEADY")
      await tab.page.waitForFunction(`!document.body.innerText.includes("demo/model@overloaded")`)
      await tab.page.waitForFunction(String.raw`/\b1 endpoint\s/.test(document.body.innerText)`)
      await tab.click("demo/model@steady")
      await tab.page.waitForFunction(`location.hash.startsWith("#/requests?endpoint=demo")`)
      await tab.page.waitForFunction(
        `document.querySelectorAll('tbody a[href^="#/requests/gen-"]').length === 3`
      )
      await tab.goTo("#/now")
      await tab.click("Provider of demo/model@overloaded")
      await tab.waitFor("If it goes down")
      await tab.goTo("#/now")
      await tab.click("Compared with the hour before")
      await tab.waitFor("Success rate")
      await tab.goTo("#/requests?endpoint=demo%2Fmodel%40other")
      await tab.waitFor("No request of this time matches the filters.")
    }
  },
  {
    title: "Now says how old its figures are while the server does not answer",
    run: async (tab) => {
      await tab.goTo("#/now")
      await tab.waitFor("demo/model@steady")
      await tab.page.setOfflineMode(true)
      await tab.waitFor("The server does not answer.")
      await tab.waitFor("What is shown was read")
      expect(await tab.page.$$(".stale")).not.toEqual([])
      await tab.page.setOfflineMode(false)
      await tab.page.waitForSelector(".stale", { hidden: true })
      tab.problems.splice(0)
    }
  }
]
